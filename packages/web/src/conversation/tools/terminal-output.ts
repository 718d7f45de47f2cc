// Parses text written for a terminal: keeps its styles as data and drops everything else that only a terminal
// understands. The text is untrusted: parsing takes one pass and yields a bounded number of runs.
import { plainStyle, type TerminalStyle, withStyle } from './terminal-style.ts';

export interface StyledRun {
  readonly text: string;
  readonly style: TerminalStyle;
}

/** Text after this many runs has no styles. */
const maxRuns = 5_000;

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
    if (parameters === undefined || runs.length >= maxRuns) continue;
    flush();
    style = runs.length >= maxRuns ? plainStyle : withStyle(style, parameters);
  }
  flush();
  return runs;
}

export function withoutStyles(output: string): string {
  return styledRuns(output)
    .map(({ text }) => text)
    .join('');
}

/** The start of the text, with its styles. */
export function cutRuns(runs: readonly StyledRun[], length: number): readonly StyledRun[] {
  let left = length;
  return runs.flatMap(({ text, style }) => {
    const cut = text.slice(0, left);
    left -= cut.length;
    return cut === '' ? [] : [{ text: cut, style }];
  });
}

interface Control {
  /** Where the text continues. */
  readonly end: number;
  /** What is shown instead. */
  readonly shown: string;
  /** The numbers of an escape that changes the style. */
  readonly parameters?: string;
}

function readControl(output: string, at: number): Control {
  switch (output[at]) {
    case '\u001b':
      return readEscape(output, at + 1);
    case '\u009b':
      return readSequence(output, at + 1);
    // A terminal would overwrite the line. Here later text never hides earlier text.
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

/** Numbers, then a letter for their purpose; `m` sets styles. */
function readSequence(output: string, start: number): Control {
  const afterNumbers = skip(output, start, 0x30, 0x3f);
  const final = skip(output, afterNumbers, 0x20, 0x2f);
  if (!isWithin(output, final, 0x40, 0x7e)) return { end: final, shown: '' };
  const parameters = output.slice(start, final);
  const isStyle = output[final] === 'm' && /^[\d:;]*$/.test(parameters);
  return { end: final + 1, shown: '', ...(isStyle && { parameters }) };
}

/** Titles, links and the like. If one has no end, what follows its start is text. */
function endOfString(output: string, start: number): number {
  const control = nextControl(output, start);
  if (output[control] === '\u0007' || output[control] === '\u009c') return control + 1;
  return output.startsWith('\u001b\\', control) ? control + 2 : start;
}

/** Any control character except newline and tab. */
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
