// What tools give back as text, read for people. Pure; undefined where a text is not in the expected form, and is
// then shown as it is.

export interface NumberedLine {
  readonly number: number;
  readonly text: string;
}

/** A file with its lines numbered, as the program shows it to the model. */
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

/** `path:12:words`, and `path-11-words` around it, together by file. */
export function foundLines(output: string): readonly FoundLines[] | undefined {
  const byPath = new Map<string, NumberedLine[]>();
  for (const line of output.split('\n')) {
    if (line === '' || line === '--') continue;
    const [, path, number, text] = /^(.+?):(\d+):(.*)$/.exec(line) ?? around(line, [...byPath.keys()]) ?? [];
    if (path === undefined) return undefined;
    const found = { number: Number(number), text: text ?? '' };
    const lines = byPath.get(path);
    if (lines) lines.push(found);
    else byPath.set(path, [found]);
  }
  return byPath.size > 0 ? [...byPath].map(([path, lines]) => ({ path, lines })) : undefined;
}

/** Names may have numbers between dashes, too: the shortest beginning that is a known file, else that fits at all. */
function around(line: string, paths: readonly string[]): readonly string[] | undefined {
  const known = paths.find((path) => line.startsWith(`${path}-`));
  const rest = known === undefined ? undefined : /^-(\d+)-(.*)$/.exec(line.slice(known.length));
  if (known !== undefined && rest) return [line, known, rest[1] ?? '', rest[2] ?? ''];
  return /^(.+?)-(\d+)-(.*)$/.exec(line) ?? undefined;
}

/** Pages that were found, as a list of links, and what the search says of them. */
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

/** Longer ones are read by nobody. */
const mostJson = 100_000;

/** JSON in lines; anything else as it is. */
export function indentedJson(output: string): string {
  if (!/^\s*[[{]/.test(output) || output.length > mostJson) return output;
  try {
    return JSON.stringify(JSON.parse(output), null, 2);
  } catch {
    return output;
  }
}

const reminder = { begin: '<system-reminder>', end: '</system-reminder>' };

/** What the program adds for the model only is left out. */
function withoutReminders(output: string): string {
  let kept = '';
  let at = 0;
  for (;;) {
    const begin = output.indexOf(reminder.begin, at);
    const end = begin < 0 ? -1 : output.indexOf(reminder.end, begin);
    if (end < 0) return (kept + output.slice(at)).trimEnd();
    kept += output.slice(at, begin);
    at = end + reminder.end.length;
  }
}
