// Parses Telegram's HTML into plain text and entities. Supports the few tags that Telegram has and refuses everything
// else in Telegram's words.
import { badRequest, type MessageEntity } from './wire.ts';

export type ParsedText = { readonly text: string; readonly entities: readonly MessageEntity[] };

type OpenTag = {
  readonly tag: string;
  readonly type: string | undefined;
  readonly offset: number;
  readonly extra: Partial<MessageEntity>;
};

const entityTypes: Readonly<Record<string, string>> = {
  b: 'bold',
  strong: 'bold',
  i: 'italic',
  em: 'italic',
  u: 'underline',
  ins: 'underline',
  s: 'strikethrough',
  strike: 'strikethrough',
  del: 'strikethrough',
  'tg-spoiler': 'spoiler',
  code: 'code',
  pre: 'pre',
  a: 'text_link',
  blockquote: 'blockquote',
};

const characters: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' };

/** Throws a `Refusal` if Telegram couldn't parse the text. */
export function parseHtml(html: string): ParsedText {
  const open: OpenTag[] = [];
  const entities: MessageEntity[] = [];
  let text = '';
  let at = 0;
  while (at < html.length) {
    const char = html[at] ?? '';
    if (char === '&') {
      const [whole, value] = characterAt(html, at);
      text += value;
      at += whole;
    } else if (char === '<') {
      at = html.startsWith('</', at) ? endTag(at) : startTag(at);
    } else {
      text += char;
      at += 1;
    }
  }
  const unclosed = open.at(-1);
  if (unclosed) throw cannotParse(`Can't find end tag corresponding to start tag "${unclosed.tag}"`);
  return { text, entities: entities.sort((a, b) => a.offset - b.offset || b.length - a.length) };

  function startTag(start: number): number {
    const end = html.indexOf('>', start);
    const match =
      /^<([a-zA-Z][a-zA-Z0-9-]*)((?:\s+[a-zA-Z-]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+))?)*)\s*>$/.exec(
        end === -1 ? '' : html.slice(start, end + 1),
      );
    if (!match) throw cannotParse(`Unclosed start tag at byte offset ${bytes(start)}`);
    const [whole, name = '', attributes = ''] = match;
    const tag = name.toLowerCase();
    const isSpoiler = tag === 'span' && /class\s*=\s*"tg-spoiler"/.test(attributes);
    const type = isSpoiler ? 'spoiler' : entityTypes[tag];
    if (type === undefined)
      throw cannotParse(`Unsupported start tag "${tag}" at byte offset ${bytes(start)}`);
    const url = /href\s*=\s*"([^"]*)"/.exec(attributes)?.[1];
    const language = /class\s*=\s*"language-([^"]*)"/.exec(attributes)?.[1];
    const extra = { ...(url !== undefined && { url }), ...(language !== undefined && { language }) };
    open.push({ tag, type, offset: text.length, extra });
    return start + whole.length;
  }

  function endTag(start: number): number {
    const end = html.indexOf('>', start);
    if (end === -1) throw cannotParse(`Unclosed end tag at byte offset ${bytes(start)}`);
    const name = html
      .slice(start + 2, end)
      .trim()
      .toLowerCase();
    const last = open.pop();
    if (!last) throw cannotParse(`Unexpected end tag at byte offset ${bytes(start)}`);
    if (last.tag !== name) {
      throw cannotParse(
        `Unmatched end tag at byte offset ${bytes(start)}, expected "</${last.tag}>", found "</${name}>"`,
      );
    }
    const length = text.length - last.offset;
    if (last.type === undefined || length === 0) return end + 1;
    const inner = entities.at(-1);
    const isCodeInPre = last.type === 'pre' && inner?.type === 'code' && inner.length === length;
    // A code element that fills the block sets the block's language.
    const extra = isCodeInPre && inner.language !== undefined ? { language: inner.language } : last.extra;
    if (isCodeInPre) entities.pop();
    entities.push({ type: last.type, offset: last.offset, length, ...extra });
    return end + 1;
  }

  function bytes(index: number): number {
    return Buffer.byteLength(html.slice(0, index));
  }
}

/** An `&` that doesn't start a known entity is a literal `&`. */
function characterAt(html: string, at: number): readonly [number, string] {
  const match = /^&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|([a-z]{2,4}));/.exec(html.slice(at, at + 12));
  if (!match) return [1, '&'];
  const [whole, decimal, hex, name = ''] = match;
  if (decimal !== undefined) return [whole.length, String.fromCodePoint(Number(decimal))];
  if (hex !== undefined) return [whole.length, String.fromCodePoint(Number.parseInt(hex, 16))];
  const known = characters[name];
  return known === undefined ? [1, '&'] : [whole.length, known];
}

function cannotParse(reason: string) {
  return badRequest(`can't parse entities: ${reason}`);
}
