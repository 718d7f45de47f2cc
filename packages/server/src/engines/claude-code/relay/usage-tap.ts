// Reads the token counts of a Messages API answer while its bytes pass by. Holds at most one line of a stream, or one
// whole answer that is not streamed, and gives up on anything longer.
import type { Usage } from '@parley/protocol';
import { isRecord } from '../../../basics/is-record.ts';
import { parseJson } from '../../../content/parse-json.ts';
import { countTokens, type TokenCounts, toUsage, type WireUsage } from '../../../domain/prices.ts';

interface WireMessage {
  readonly model?: unknown;
  readonly usage?: WireUsage;
}

/** A line with usage has a few hundred bytes; a whole answer can be as long as the model writes. */
const longest = 4 * 1024 * 1024;

export class UsageTap {
  readonly #isStream: boolean;
  #rest = '';
  #isTooLong = false;
  #model = '';
  #tokens: TokenCounts | undefined;

  constructor(contentType: string | undefined) {
    this.#isStream = contentType?.startsWith('text/event-stream') ?? false;
  }

  /** What is known so far; undefined if the answer has reported nothing. */
  get used(): { readonly model: string; readonly usage: Usage } | undefined {
    if (!this.#isStream && this.#rest !== '') this.#learnWhole();
    return this.#tokens && { model: this.#model, usage: toUsage(this.#model, this.#tokens) };
  }

  /** Reads bytes as Latin-1, which is quick, and safe here: names and numbers are ASCII, and the rest is skipped. */
  push(chunk: Buffer): void {
    const end = this.#isStream ? chunk.lastIndexOf(newline) : -1;
    if (end < 0) {
      this.#keep(chunk.toString('latin1'));
      return;
    }
    const lines = this.#isTooLong ? '' : this.#rest;
    this.#rest = '';
    this.#isTooLong = false;
    for (const line of (lines + chunk.toString('latin1', 0, end)).split('\n')) this.#line(line);
    this.#keep(chunk.toString('latin1', end + 1));
  }

  #keep(text: string): void {
    this.#isTooLong ||= this.#rest.length + text.length > longest;
    this.#rest = this.#isTooLong ? '' : this.#rest + text;
  }

  /** Most lines are pieces of text, which are not parsed. */
  #line(line: string): void {
    if (!line.startsWith('data:') || !line.includes('"usage"')) return;
    const event = parse(line.slice('data:'.length)) as WireMessage & { type?: string; message?: WireMessage };
    if (event.type === 'message_start') this.#learn(event.message ?? {});
    if (event.type === 'message_delta') this.#tokens = countTokens(this.#tokens, event.usage);
  }

  #learnWhole(): void {
    this.#learn(parse(this.#rest));
    this.#rest = '';
  }

  #learn({ model, usage }: WireMessage): void {
    this.#model = typeof model === 'string' ? model : '';
    this.#tokens = countTokens(undefined, usage);
  }
}

const newline = 0x0a;

function parse(json: string): object {
  const value = parseJson(json);
  return isRecord(value) ? value : {};
}
