// Plausible token counts at about four characters per token, and the prompt cache: a prefix marked with
// cache_control is read from the cache when it is sent again.
import { createHash } from 'node:crypto';
import { dropOldest } from '../drop-oldest.ts';
import type { MessagesBody, Usage } from './messages-wire.ts';
import type { ReplyPart } from './reply.ts';
import { blocksOf } from './request-reading.ts';

const charactersPerToken = 4;
const imageTokens = 1_600;
/** For a PDF of a few pages. */
const pdfTokens = 6_000;

export function countTokens(body: MessagesBody): number {
  return sumOf(promptPieces(body));
}

export function countOutputTokens(parts: readonly ReplyPart[]): number {
  return Math.max(
    1,
    Math.ceil(parts.reduce((sum, part) => sum + outputLength(part), 0) / charactersPerToken),
  );
}

/** Remembers prefixes by hash and forgets the oldest first. */
export class PromptCache {
  readonly #prefixes = new Set<string>();
  readonly #limit: number;

  constructor(limit = 4_096) {
    this.#limit = limit;
  }

  usage(body: MessagesBody): Omit<Usage, 'output_tokens'> {
    const pieces = promptPieces(body);
    const cacheable = pieces.slice(0, pieces.findLastIndex((piece) => piece.marked) + 1);
    const hash = createHash('sha1').update(body.model);
    let marked = 0;
    let read = 0;
    for (const piece of cacheable) {
      hash.update(piece.text);
      marked += piece.tokens;
      // Clients move their marks along, so a prefix marked by an earlier request can end at any block of this one.
      const prefix = hash.copy().digest('base64');
      if (this.#prefixes.has(prefix)) read = marked;
      if (piece.marked) this.#remember(prefix);
    }
    return {
      input_tokens: sumOf(pieces) - marked,
      cache_creation_input_tokens: marked - read,
      cache_read_input_tokens: read,
    };
  }

  #remember(prefix: string): void {
    this.#prefixes.delete(prefix);
    this.#prefixes.add(prefix);
    dropOldest(this.#prefixes, this.#limit);
  }
}

type PromptPiece = { readonly text: string; readonly tokens: number; readonly marked: boolean };

/** In the order in which the service caches: tools, system, messages. */
function promptPieces(body: MessagesBody): readonly PromptPiece[] {
  const system = typeof body.system === 'string' ? [body.system] : (body.system ?? []);
  return [...(body.tools ?? []), ...system, ...body.messages.flatMap(blocksOf)].map(promptPiece);
}

function promptPiece(value: string | object): PromptPiece {
  if (typeof value === 'string') return { text: value, tokens: tokensOf(value), marked: false };
  const { cache_control, ...rest } = value as { type?: unknown; cache_control?: unknown };
  const text = JSON.stringify(rest);
  const isPdf = rest.type === 'document' && text.includes('"application/pdf"');
  const tokens = rest.type === 'image' ? imageTokens : isPdf ? pdfTokens : tokensOf(text);
  return { text, tokens, marked: cache_control !== undefined && cache_control !== null };
}

function tokensOf(text: string): number {
  return Math.ceil(text.length / charactersPerToken);
}

function sumOf(pieces: readonly PromptPiece[]): number {
  return pieces.reduce((sum, piece) => sum + piece.tokens, 0);
}

function outputLength(part: ReplyPart): number {
  switch (part.part) {
    case 'text':
    case 'thinking':
      return part.pieces.reduce((sum, text) => sum + text.length, 0);
    case 'block':
      return JSON.stringify(part.block).length;
    case 'tool_use':
      return part.name.length + JSON.stringify(part.input).length;
    case 'interruption':
      return 0;
    default:
      return part satisfies never;
  }
}
