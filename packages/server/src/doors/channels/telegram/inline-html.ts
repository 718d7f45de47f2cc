// What stands within a line of Markdown: code, links, bold, italic, struck out. Marks without a partner stay as they
// are. Pure.

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

export function inlineHtml(text: string, isInLink = false): string {
  let out = '';
  let at = 0;
  while (at < text.length) {
    const found =
      escapedAt(text, at) ??
      codeAt(text, at) ??
      (isInLink ? undefined : linkAt(text, at)) ??
      emphasisAt(text, at, isInLink);
    out += found ? found.html : escapeHtml(text[at] ?? '');
    at = found ? found.next : at + 1;
  }
  return out;
}

interface Found {
  readonly html: string;
  readonly next: number;
}

function escapedAt(text: string, at: number): Found | undefined {
  const next = text[at + 1];
  if (text[at] !== '\\' || next === undefined || !/[!-/:-@[-`{-~]/.test(next)) return undefined;
  return { html: escapeHtml(next), next: at + 2 };
}

function codeAt(text: string, at: number): Found | undefined {
  const end = codeEnd(text, at);
  if (end === undefined) return undefined;
  const ticks = runLength(text, at, '`');
  const code = text.slice(at + ticks, end - ticks);
  const inner = /^ .*\S.* $/.test(code) ? code.slice(1, -1) : code;
  return { html: `<code>${escapeHtml(inner)}</code>`, next: end };
}

/** After the ticks that close the code which begins here. */
function codeEnd(text: string, at: number): number | undefined {
  if (text[at] !== '`' || text[at - 1] === '`') return undefined;
  const ticks = runLength(text, at, '`');
  for (let next = text.indexOf('`', at + ticks); next !== -1; ) {
    const run = runLength(text, next, '`');
    if (run === ticks) return next > at + ticks ? next + ticks : undefined;
    next = text.indexOf('`', next + run);
  }
  return undefined;
}

/** Only addresses that a chat should open; anything else is shown as it stands. */
const link =
  /^!?\[((?:[^[\]\\]|\\.|\[[^[\]]*\])*)\]\(\s*<?((?:https?:\/\/|mailto:|tg:\/\/)[^\s<>()]*(?:\([^\s<>()]*\)[^\s<>()]*)*)>?(?:\s+"[^"]*")?\s*\)/;

function linkAt(text: string, at: number): Found | undefined {
  if (text[at] !== '[' && !(text[at] === '!' && text[at + 1] === '[')) return undefined;
  const match = link.exec(text.slice(at));
  if (!match) return undefined;
  const [whole, label = '', url = ''] = match;
  const shown = inlineHtml(label, true);
  return {
    html: `<a href="${escapeHtml(url)}">${shown.trim() === '' ? escapeHtml(url) : shown}</a>`,
    next: at + whole.length,
  };
}

const marks = [
  { mark: '***', open: '<b><i>', close: '</i></b>' },
  { mark: '**', open: '<b>', close: '</b>' },
  { mark: '__', open: '<b>', close: '</b>' },
  { mark: '~~', open: '<s>', close: '</s>' },
  { mark: '*', open: '<i>', close: '</i>' },
  { mark: '_', open: '<i>', close: '</i>' },
];

function emphasisAt(text: string, at: number, isInLink: boolean): Found | undefined {
  const char = text[at] ?? '';
  if (char !== '*' && char !== '_' && char !== '~') return undefined;
  if (char === '_' && isWord(text[at - 1])) return undefined;
  for (const { mark, open, close } of marks) {
    if (!text.startsWith(mark, at) || isSpace(text[at + mark.length])) continue;
    const end = closingMark(text, at + mark.length, mark);
    if (end === undefined) continue;
    const inner = inlineHtml(text.slice(at + mark.length, end), isInLink);
    return { html: `${open}${inner}${close}`, next: end + mark.length };
  }
  return undefined;
}

function closingMark(text: string, from: number, mark: string): number | undefined {
  const char = mark[0] ?? '';
  for (let at = from; at < text.length; ) {
    const code = codeEnd(text, at);
    if (code !== undefined) at = code;
    else if (text[at] === '\\') at += 2;
    else if (text[at] !== char) at += 1;
    else {
      const run = runLength(text, at, char);
      const isWordEnd = char !== '_' || !isWord(text[at + run]);
      // A longer run closes the inner marks first: the outer one takes its end.
      if (
        run >= mark.length &&
        (run === mark.length || run > 2) &&
        at > from &&
        !isSpace(text[at - 1]) &&
        isWordEnd
      ) {
        return at + run - mark.length;
      }
      at += run;
    }
  }
  return undefined;
}

function runLength(text: string, at: number, char: string): number {
  let end = at;
  while (text[end] === char) end += 1;
  return end - at;
}

function isSpace(char: string | undefined): boolean {
  return char === undefined || /\s/.test(char);
}

function isWord(char: string | undefined): boolean {
  return char !== undefined && /[\p{L}\p{N}]/u.test(char);
}
