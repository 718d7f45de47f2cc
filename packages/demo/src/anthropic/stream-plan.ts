// Turns reply parts into the steps of a stream. Pure, and cached per reply: a benchmark that sends one reply
// ten thousand times encodes its deltas once.
import type { WireEvent } from './messages-wire.ts';
import type { Interruption, ReplyPart, WireBlock } from './reply.ts';

export type Step =
  | { readonly step: 'frame'; readonly frame: string; readonly delta: boolean }
  /** Encoded when sent, because a tool call without a given id gets a fresh one each time. */
  | {
      readonly step: 'tool_start';
      readonly index: number;
      readonly name: string;
      readonly id: string | undefined;
    }
  | { readonly step: 'interruption'; readonly interrupt: Interruption };

const plans = new WeakMap<readonly ReplyPart[], readonly Step[]>();
const inputPieceLength = 48;

export function planStream(parts: readonly ReplyPart[]): readonly Step[] {
  const known = plans.get(parts);
  if (known !== undefined) return known;
  const plan = new PlanWriter().write(parts);
  plans.set(parts, plan);
  return plan;
}

export function encodeEvent(event: WireEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

/** In a stream, a tool call starts with an empty input; its JSON follows as deltas. */
export function encodeToolStart(index: number, id: string, name: string): string {
  return encodeEvent(blockStart(index, { type: 'tool_use', id, name, input: {} }));
}

type OpenBlock = 'text' | 'thinking' | 'tool_use' | 'block';

class PlanWriter {
  readonly #steps: Step[] = [];
  #open: OpenBlock | undefined;
  #index = -1;

  write(parts: readonly ReplyPart[]): readonly Step[] {
    for (const part of parts) this.#part(part);
    this.#close();
    return this.#steps;
  }

  #part(part: ReplyPart): void {
    switch (part.part) {
      case 'text':
        this.#continue('text', { type: 'text', text: '' });
        for (const text of part.pieces) this.#delta({ type: 'text_delta', text });
        return;
      case 'thinking':
        this.#continue('thinking', { type: 'thinking', thinking: '', signature: '' });
        for (const thinking of part.pieces) this.#delta({ type: 'thinking_delta', thinking });
        return;
      case 'tool_use':
        this.#close();
        this.#open = 'tool_use';
        this.#index += 1;
        this.#steps.push({ step: 'tool_start', index: this.#index, name: part.name, id: part.id });
        for (const piece of inputPieces(part.input))
          this.#delta({ type: 'input_json_delta', partial_json: piece });
        return;
      case 'block':
        this.#block(part.block);
        return;
      case 'interruption':
        this.#steps.push({ step: 'interruption', interrupt: part.interrupt });
        return;
      default:
        return part satisfies never;
    }
  }

  /** A call of one of the service's own tools streams its input like any call; other blocks arrive whole. */
  #block(block: WireBlock): void {
    this.#close();
    this.#open = 'block';
    this.#index += 1;
    const input = block['input'] as Readonly<Record<string, unknown>> | undefined;
    this.#frame(blockStart(this.#index, input === undefined ? block : { ...block, input: {} }));
    for (const piece of input === undefined ? [] : inputPieces(input))
      this.#delta({ type: 'input_json_delta', partial_json: piece });
  }

  #continue(kind: OpenBlock, block: object): void {
    if (this.#open === kind) return;
    this.#close();
    this.#open = kind;
    this.#index += 1;
    this.#frame(blockStart(this.#index, block));
  }

  #close(): void {
    if (this.#open === undefined) return;
    if (this.#open === 'thinking')
      this.#frame(blockDelta(this.#index, { type: 'signature_delta', signature }));
    this.#open = undefined;
    this.#frame({ type: 'content_block_stop', index: this.#index });
  }

  #delta(delta: object): void {
    this.#steps.push({ step: 'frame', frame: encodeEvent(blockDelta(this.#index, delta)), delta: true });
  }

  #frame(event: WireEvent): void {
    this.#steps.push({ step: 'frame', frame: encodeEvent(event), delta: false });
  }
}

/** The service signs its thinking; clients only send the signature back. */
export const signature = Buffer.from('loopback signature of a thinking block').toString('base64');

function blockStart(index: number, block: object): WireEvent {
  return { type: 'content_block_start', index, content_block: block };
}

function blockDelta(index: number, delta: object): WireEvent {
  return { type: 'content_block_delta', index, delta };
}

function inputPieces(input: Readonly<Record<string, unknown>>): readonly string[] {
  const json = JSON.stringify(input);
  if (json === '{}') return [''];
  const pieces: string[] = [];
  for (let at = 0; at < json.length; at += inputPieceLength)
    pieces.push(json.slice(at, at + inputPieceLength));
  return pieces;
}
