// Text that was written for a terminal: its styles as data, and nothing else of what only a terminal understands.
// Whoever wrote it is not trusted: it is read once from its beginning to its end, and has a bounded number of parts.
import { plainStyle, type TerminalStyle, withStyle } from './terminal-style.ts';

export interface StyledRun {
  readonly text: string;
  readonly style: TerminalStyle;
}

/** What follows them is shown without styles. */
const mostRuns = 5_000;

export function styledRuns(output: string): readonly StyledRun[] {
  const runs: StyledRun[] = [];
  let style = plainStyle;
  let text = '';
  const flush = () => {
    if (text !== '') runs.push({ text, style });
    text = '';
  };
  for (let at = 0; at < output.length; ) {
    const control = nextControl(output, at);
    text += output.slice(at, control);
    if (control === output.length) break;
    const { end, shown, parameters } = readControl(output, control);
    text += shown;
    at = end;
    if (parameters === undefined || runs.length >= mostRuns) continue;
    flush();
    style = runs.length >= mostRuns ? plainStyle : withStyle(style, parameters);
  }
  flush();
  return runs;
}

export function withoutStyles(output: string): string {
  return styledRuns(output)
    .map(({ text }) => text)
    .join('');
}

/** The beginning of it. */
export function cutRuns(runs: readonly StyledRun[], length: number): readonly StyledRun[] {
  let left = length;
  return runs.flatMap(({ text, style }) => {
    const cut = text.slice(0, left);
    left -= cut.length;
    return cut === '' ? [] : [{ text: cut, style }];
  });
}

interface Control {
  /** Where the text goes on. */
  readonly end: number;
  /** What stands in its place. */
  readonly shown: string;
  /** Of an escape that changes the style. */
  readonly parameters?: string;
}

function readControl(output: string, at: number): Control {
  switch (output[at]) {
    case '\u001b':
      return readEscape(output, at + 1);
    case '\u009b':
      return readSequence(output, at + 1);
    // A terminal would write over the line. Here nothing is hidden by what comes later.
    case '\r':
      return { end: at + 1, shown: output[at + 1] === '\n' ? '' : '\n' };
    default:
      return { end: at + 1, shown: '' };
  }
}

function readEscape(output: string, at: number): Control {
  const kind = output[at] ?? '';
  if (kind === '[') return readSequence(output, at + 1);
  if (kind !== '' && ']PX^_'.includes(kind)) return { end: endOfString(output, at + 1), shown: '' };
  const final = skip(output, at, 0x20, 0x2f);
  return { end: isWithin(output, final, 0x30, 0x7e) ? final + 1 : final, shown: '' };
}

/** Numbers, then a letter that says what for; `m` is for styles. */
function readSequence(output: string, begin: number): Control {
  const afterNumbers = skip(output, begin, 0x30, 0x3f);
  const final = skip(output, afterNumbers, 0x20, 0x2f);
  if (!isWithin(output, final, 0x40, 0x7e)) return { end: final, shown: '' };
  const parameters = output.slice(begin, final);
  const isStyle = output[final] === 'm' && /^[\d:;]*$/.test(parameters);
  return { end: final + 1, shown: '', ...(isStyle && { parameters }) };
}

/** Titles, links and the like. One without an end is only begun: the words after it are words. */
function endOfString(output: string, begin: number): number {
  const control = nextControl(output, begin);
  if (output[control] === '\u0007' || output[control] === '\u009c') return control + 1;
  return output.startsWith('\u001b\\', control) ? control + 2 : begin;
}

/** Any but the end of a line and the tabulator. */
function nextControl(output: string, from: number): number {
  let at = from;
  for (; at < output.length; at += 1) {
    const code = output.charCodeAt(at);
    if (code < 0x20 ? code !== 0x09 && code !== 0x0a : code >= 0x7f && code <= 0x9f) break;
  }
  return at;
}

function skip(output: string, from: number, least: number, most: number): number {
  let at = from;
  while (isWithin(output, at, least, most)) at += 1;
  return at;
}

function isWithin(output: string, at: number, least: number, most: number): boolean {
  const code = output.charCodeAt(at);
  return code >= least && code <= most;
}
