// Parses the text that tools return. Functions return undefined for text in another form, which is then shown as is.

export interface NumberedLine {
  readonly number: number;
  readonly text: string;
}

/** A file with line numbers, as the program shows it to the model. */
export function fileLines(output: string): readonly NumberedLine[] | undefined {
  const lines = withoutReminders(output).split('\n');
  const read = lines.flatMap((line) => {
    const [, number, text] = /^\s*(\d+)[→\t](.*)$/.exec(line) ?? [];
    return number === undefined ? [] : [{ number: Number(number), text: text ?? '' }];
  });
  return read.length > 0 && read.length === lines.length ? read : undefined;
}

export interface FoundLines {
  readonly path: string;
  readonly lines: readonly NumberedLine[];
}

const matching = /^(.+?):(\d+):(.*)$/;
const around = /^(.+?)-(\d+)-(.*)$/;

/** Groups `path:12:text`, and `path-11-text` around it, by file. */
export function foundLines(output: string): readonly FoundLines[] | undefined {
  const all = output.split('\n').filter((line) => line !== '' && line !== '--');
  // Names and text may contain `:12:` and `-11-` too. Files whose names are certain decide.
  const paths = new Set(
    all.map((line) => matching.exec(line)?.[1] ?? '').filter((path) => !around.test(path)),
  );
  const byPath = new Map<string, NumberedLine[]>();
  for (const line of all) {
    const [, path, number, text] = aroundIn(paths, line) ?? matching.exec(line) ?? around.exec(line) ?? [];
    if (path === undefined) return undefined;
    const found = { number: Number(number), text: text ?? '' };
    const lines = byPath.get(path);
    if (lines) lines.push(found);
    else byPath.set(path, [found]);
    paths.add(path);
  }
  return byPath.size > 0 ? [...byPath].map(([path, lines]) => ({ path, lines })) : undefined;
}

const longestPath = 4_096;

function aroundIn(paths: ReadonlySet<string>, line: string): readonly string[] | undefined {
  for (const { 0: mark, 1: number = '', index } of line.slice(0, longestPath).matchAll(/-(\d+)(?=-)/g)) {
    const path = line.slice(0, index);
    if (paths.has(path)) return [line, path, number, line.slice(index + mark.length + 1)];
  }
  return undefined;
}

/** The pages found as a list of links, and the summary of the search. */
export function webMarkdown(output: string): string {
  return output
    .replace(/^Web search results for query: .*\n+/, '')
    .replace(/\nREMINDER: [\s\S]*$/, '')
    .replaceAll(/^Links: (\[.*\])$/gm, (line, links: string) => linkList(links) ?? line);
}

function linkList(json: string): string | undefined {
  try {
    const links = JSON.parse(json) as readonly { title?: unknown; url?: unknown }[];
    return links
      .map(({ title, url }) => `- [${String(title).replaceAll(/[[\]\n]/g, ' ')}](<${String(url)}>)`)
      .join('\n');
  } catch {
    return undefined;
  }
}

/** Nobody reads more than this. */
const maxJson = 100_000;

/** Indents JSON; returns anything else unchanged. */
export function indentedJson(output: string): string {
  if (!/^\s*[[{]/.test(output) || output.length > maxJson) return output;
  try {
    return JSON.stringify(JSON.parse(output), null, 2);
  } catch {
    return output;
  }
}

const reminder = { start: '<system-reminder>', end: '</system-reminder>' };

/** Removes what the program adds for the model only. */
function withoutReminders(output: string): string {
  let kept = '';
  let at = 0;
  for (;;) {
    const start = output.indexOf(reminder.start, at);
    const end = start < 0 ? -1 : output.indexOf(reminder.end, start);
    if (end < 0) return (kept + output.slice(at)).trimEnd();
    kept += output.slice(at, start);
    at = end + reminder.end.length;
  }
}
