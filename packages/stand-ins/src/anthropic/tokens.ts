// Plausible token counts at about four characters a token, and the prompt cache: what was marked with
// cache_control once is read from the cache when the same prefix comes again.
import { createHash } from 'node:crypto';
import type { MessagesBody, Usage } from './messages-wire.ts';
import type { ReplyPart } from './reply.ts';
import { blocksOf } from './request-reading.ts';

const charactersPerToken = 4;
const imageTokens = 1_600;

export function countTokens(body: MessagesBody): number {
  return promptPieces(body).reduce((sum, piece) => sum + piece.tokens, 0);
}

export function countOutputTokens(parts: readonly ReplyPart[]): number {
  return Math.max(
    1,
    Math.ceil(parts.reduce((sum, part) => sum + outputLength(part), 0) / charactersPerToken),
  );
}

/** Remembers prefixes by hash, the oldest forgotten first. */
export class PromptCache {
  readonly #prefixes = new Set<string>();
  readonly #limit: number;

  constructor(limit = 4_096) {
    this.#limit = limit;
  }

  usage(body: MessagesBody): Omit<Usage, 'output_tokens'> {
    const hash = createHash('sha1').update(body.model);
    let tokens = 0;
    let marked = 0;
    let read = 0;
    for (const piece of promptPieces(body)) {
      hash.update(piece.text);
      tokens += piece.tokens;
      if (!piece.breakpoint) continue;
      marked = tokens;
      const prefix = hash.copy().digest('base64');
      if (this.#prefixes.has(prefix)) read = tokens;
      this.#remember(prefix);
    }
    return {
      input_tokens: tokens - marked,
      cache_creation_input_tokens: marked - read,
      cache_read_input_tokens: read,
    };
  }

  #remember(prefix: string): void {
    this.#prefixes.delete(prefix);
    this.#prefixes.add(prefix);
    if (this.#prefixes.size <= this.#limit) return;
    const [oldest] = this.#prefixes;
    if (oldest !== undefined) this.#prefixes.delete(oldest);
  }
}

type PromptPiece = { readonly text: string; readonly tokens: number; readonly breakpoint: boolean };

/** In the order in which the service caches: tools, then system, then messages. */
function promptPieces(body: MessagesBody): readonly PromptPiece[] {
  const system = typeof body.system === 'string' ? [body.system] : (body.system ?? []);
  return [...(body.tools ?? []), ...system, ...body.messages.flatMap(blocksOf)].map(piece);
}

function piece(value: unknown): PromptPiece {
  const marked =
    typeof value === 'object' && value !== null && 'cache_control' in value && value.cache_control !== null;
  const text = JSON.stringify(value, (key, inner: unknown) => (key === 'cache_control' ? undefined : inner));
  return {
    text,
    tokens: isImage(value) ? imageTokens : Math.ceil(text.length / charactersPerToken),
    breakpoint: marked,
  };
}

function isImage(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'image';
}

function outputLength(part: ReplyPart): number {
  switch (part.part) {
    case 'text':
    case 'thinking':
      return part.pieces.reduce((sum, text) => sum + text.length, 0);
    case 'tool_use':
      return part.name.length + JSON.stringify(part.input).length;
    case 'wait':
    case 'fault':
      return 0;
    default:
      return part satisfies never;
  }
}
