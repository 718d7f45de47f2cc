// Splits the text of a message into runs with the same look, which the page can show without parsing markup. Pure.
import type { MessageEntity } from '../telegram/wire.ts';

type Look = 'bold' | 'italic' | 'struck' | 'code' | 'pre' | 'quote' | 'heading' | 'link';

export type Run = { readonly text: string; readonly looks: readonly Look[] };

const telegramLooks: Readonly<Record<string, Look>> = {
  bold: 'bold',
  italic: 'italic',
  strikethrough: 'struck',
  code: 'code',
  pre: 'pre',
  blockquote: 'quote',
  text_link: 'link',
};

/** Telegram gives each entity an offset and a length. */
export function runsOfEntities(text: string, entities: readonly MessageEntity[]): readonly Run[] {
  const borders = entities.flatMap(({ offset, length }) => [offset, offset + length]);
  const cuts = [...new Set([0, ...borders, text.length])].toSorted((a, b) => a - b);
  return cuts.slice(0, -1).flatMap((from, index) => {
    const to = cuts[index + 1] ?? text.length;
    const covering = entities.filter(({ offset, length }) => offset <= from && offset + length >= to);
    const looks = covering.flatMap(({ type }) => telegramLooks[type] ?? []);
    return to > from ? [{ text: text.slice(from, to), looks }] : [];
  });
}

/** Discord renders Markdown; this supports as much of it as a demo needs. */
export function runsOfMarkdown(text: string): readonly Run[] {
  return text.split(/(```[\s\S]*?```)/).flatMap((part, index) => {
    if (index % 2 === 0) return part.split(/(?<=\n)/).flatMap(runsOfLine);
    const code = part.slice(3, -3).replace(/^[\w+#.-]*\n/, '');
    return [{ text: code, looks: ['pre'] as const }];
  });
}

function runsOfLine(line: string): readonly Run[] {
  const heading = /^#{1,3} (.*\n?)$/.exec(line)?.[1];
  if (heading !== undefined) return [{ text: heading, looks: ['heading'] }];
  const quoted = /^> (.*\n?)$/.exec(line)?.[1];
  if (quoted !== undefined) return [{ text: quoted, looks: ['quote'] }];
  return line
    .split(/(`[^`\n]+`|\*\*[^*\n]+\*\*|~~[^~\n]+~~|(?<![\w*])\*[^*\s][^*\n]*\*)/)
    .filter((piece) => piece !== '')
    .map(runOfPiece);
}

function runOfPiece(piece: string): Run {
  if (/^`.+`$/.test(piece)) return { text: piece.slice(1, -1), looks: ['code'] };
  if (/^\*\*.+\*\*$/.test(piece)) return { text: piece.slice(2, -2), looks: ['bold'] };
  if (/^~~.+~~$/.test(piece)) return { text: piece.slice(2, -2), looks: ['struck'] };
  if (/^\*.+\*$/.test(piece)) return { text: piece.slice(1, -1), looks: ['italic'] };
  return { text: piece, looks: [] };
}
