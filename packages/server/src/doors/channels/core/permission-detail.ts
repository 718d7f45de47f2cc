// What exactly a tool would do, for whoever decides on it: nothing that matters is left out or hidden. Pure.

/** Longer than any command that somebody reads; it is split over messages. */
const longestDetail = 12_000;

/** Markdown. */
export function detailOf(input: unknown): string {
  const fields = (typeof input === 'object' && input !== null ? input : {}) as Fields;
  const shown = commandIn(fields) ?? changeIn(fields);
  return shown ? [shown.text, ...othersIn(fields, shown.names)].join('\n') : fenced(asJson(input), 'json');
}

/** Characters that would steer the reader instead of being read are shown by their number. */
export function visibly(text: string): string {
  return text.replaceAll(
    /[^\P{Cc}\n\t]|\p{Bidi_Control}/gu,
    (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`,
  );
}

type Fields = Readonly<Record<string, unknown>>;

interface Shown {
  readonly text: string;
  /** The fields that it shows. */
  readonly names: readonly string[];
}

function commandIn({ command }: Fields): Shown | undefined {
  return typeof command === 'string' ? { text: fenced(command, ''), names: ['command'] } : undefined;
}

/** A change of a file as lines that go and lines that come; a new file as it would be. */
function changeIn({
  file_path: path,
  old_string: before,
  new_string: after,
  content,
}: Fields): Shown | undefined {
  if (typeof path !== 'string') return undefined;
  const file = `\`${path.replaceAll('`', "'")}\``;
  if (typeof before === 'string' && typeof after === 'string') {
    const lines = [...marked('-', before), ...marked('+', after)].join('\n');
    return { text: `${file}\n${fenced(lines, 'diff')}`, names: ['file_path', 'old_string', 'new_string'] };
  }
  if (typeof content !== 'string') return undefined;
  return { text: `${file}\n${fenced(content, '')}`, names: ['file_path', 'content'] };
}

function marked(mark: string, text: string): readonly string[] {
  return text === '' ? [] : text.split('\n').map((line) => `${mark} ${line}`);
}

/** The description of a call is told apart from it. */
function othersIn(fields: Fields, names: readonly string[]): readonly string[] {
  return Object.entries(fields)
    .filter(([name]) => name !== 'description' && !names.includes(name))
    .map(([name, value]) => `${name}: ${cut(asJson(value))}`);
}

function fenced(text: string, language: string): string {
  const runs = [...text.matchAll(/`+/g)].map(([run]) => run.length + 1);
  const fence = '`'.repeat(Math.max(3, ...runs));
  return `${fence}${language}\n${cut(text)}\n${fence}`;
}

function cut(text: string): string {
  if (text.length <= longestDetail) return text;
  const missing = (text.length - longestDetail).toLocaleString('en');
  return `${text.slice(0, longestDetail)}\n… (${missing} characters more, which the browser shows)`;
}

function asJson(value: unknown): string {
  return JSON.stringify(value, undefined, 2) ?? '';
}
