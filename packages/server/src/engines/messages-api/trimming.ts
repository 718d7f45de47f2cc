// Decides how many of the oldest turns to leave out so that the rest fits. Pure.
import type { ContentBlock, Message } from '@parley/protocol';
import { pdfFacts } from '../../content/pdf.ts';

/** The room that something takes in a request. */
export interface Size {
  readonly tokens: number;
  /** As base64, PDFs included. A picture is few tokens but many bytes, and a request has limits for both. */
  readonly pictureBytes: number;
}

/**
 * How many turns to leave out, oldest first, counting `unread` turns that are not in the list. It leaves out a little
 * more than needed, up to a quarter of the room, and picks the roundest number in that range: the conversation then
 * starts at the same turn for a while, and stays in the prompt cache.
 */
export function turnsToLeaveOut(turns: readonly Size[], room: Size, unread = 0): number {
  const least = firstThatFits(turns, room);
  const most = firstThatFits(turns, {
    tokens: room.tokens * roomToKeep,
    pictureBytes: room.pictureBytes * roomToKeep,
  });
  return roundest(unread + least, unread + most);
}

export function sum(sizes: readonly Size[]): Size {
  return sizes.reduce(add, { tokens: 0, pictureBytes: 0 });
}

export function fits(size: Size, room: Size): boolean {
  return size.tokens <= room.tokens && size.pictureBytes <= room.pictureBytes;
}

/** A rough estimate: about four bytes per token. Images are estimated separately. */
export function estimateTokens(value: unknown): number {
  return Math.ceil(Buffer.byteLength(JSON.stringify(value) ?? '') / bytesPerToken);
}

export function estimateMessage(message: Message): Size {
  return message.content.map(estimateBlock).reduce(add, { tokens: messageOverhead, pictureBytes: 0 });
}

const roomToKeep = 3 / 4;
const bytesPerToken = 4;
const messageOverhead = 4;
const imageTokens = 1_600;
/** The service sends each page as text and as an image. */
const pageTokens = 2_500;

/** The first turn from which everything fits. */
function firstThatFits(turns: readonly Size[], room: Size): number {
  let taken = sum([]);
  let first = turns.length;
  for (const turn of turns.toReversed()) {
    taken = add(taken, turn);
    if (!fits(taken, room)) break;
    first -= 1;
  }
  return first;
}

/** The number that is divisible by the highest power of two. */
function roundest(least: number, most: number): number {
  if (least === 0) return 0;
  let found = least;
  for (let power = 2; ; power *= 2) {
    const next = Math.ceil(least / power) * power;
    if (next > most) return found;
    found = next;
  }
}

function add(a: Size, b: Size): Size {
  return { tokens: a.tokens + b.tokens, pictureBytes: a.pictureBytes + b.pictureBytes };
}

function estimateBlock(block: ContentBlock): Size {
  if (block.type === 'image') return { tokens: imageTokens, pictureBytes: pictureBytes(block) };
  if (block.type === 'document' && isBase64(block)) return estimatePdf(block);
  const inner = block['content'];
  if (block.type !== 'tool_result' || !Array.isArray(inner)) {
    return { tokens: estimateTokens(block), pictureBytes: 0 };
  }
  const own = { tokens: estimateTokens(block['tool_use_id']), pictureBytes: 0 };
  return (inner as ContentBlock[]).map(estimateBlock).reduce(add, own);
}

function isBase64({ source }: ContentBlock): boolean {
  return (source as { type?: unknown } | undefined)?.type === 'base64';
}

function estimatePdf(block: ContentBlock): Size {
  const { data } = block['source'] as { readonly data: string };
  const { pages } = pdfFacts(Buffer.from(data, 'base64'));
  return { tokens: Math.max(1, pages) * pageTokens, pictureBytes: data.length };
}

function pictureBytes({ source }: ContentBlock): number {
  const data = (source as { data?: unknown } | undefined)?.data;
  return typeof data === 'string' ? data.length : 0;
}
