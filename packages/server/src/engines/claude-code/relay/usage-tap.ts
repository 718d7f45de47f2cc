// Reads the token counts of a Messages API answer while its bytes pass by. Holds at most one event of a stream, or one
// whole answer that is not streamed, and gives up on anything longer.
import type { Usage } from '@parley/protocol';
import { createParser } from 'eventsource-parser';
import { isRecord } from '../../../basics/is-record.ts';
import { parseJson } from '../../../content/parse-json.ts';
import { countTokens, type TokenCounts, toUsage, type WireUsage } from '../../../domain/prices.ts';

interface WireMessage {
  readonly model?: unknown;
  readonly usage?: WireUsage;
}

/** An event with usage has a few hundred bytes; a whole answer can be as long as the model writes. */
const longest = 4 * 1024 * 1024;

export class UsageTap {
  readonly #isStream: boolean;
  readonly #parser = createParser({
    maxBufferSize: longest,
    onEvent: ({ data }) => this.#event(data),
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') this.#parser.reset();
    },
  });
  #whole = '';
  #isTooLong = false;
  #model = '';
  #tokens: TokenCounts | undefined;

  constructor(contentType: string | undefined) {
    this.#isStream = contentType?.startsWith('text/event-stream') ?? false;
  }

  /** What is known so far; undefined if the answer has reported nothing. */
  get used(): { readonly model: string; readonly usage: Usage } | undefined {
    if (this.#whole !== '') this.#learnWhole();
    return this.#tokens && { model: this.#model, usage: toUsage(this.#model, this.#tokens) };
  }

  /** Reads bytes as Latin-1, which is quick, and safe here: names and numbers are ASCII, and the rest is skipped. */
  push(chunk: Buffer): void {
    const text = chunk.toString('latin1');
    if (this.#isStream) return this.#parser.feed(text);
    this.#isTooLong ||= this.#whole.length + text.length > longest;
    this.#whole = this.#isTooLong ? '' : this.#whole + text;
  }

  /** Most events are pieces of text, which are not parsed. */
  #event(data: string): void {
    if (!data.includes('"usage"')) return;
    const event = parse(data) as WireMessage & { type?: string; message?: WireMessage };
    if (event.type === 'message_start') this.#learn(event.message ?? {});
    if (event.type === 'message_delta') this.#tokens = countTokens(this.#tokens, event.usage);
  }

  #learnWhole(): void {
    this.#learn(parse(this.#whole));
    this.#whole = '';
  }

  #learn({ model, usage }: WireMessage): void {
    this.#model = typeof model === 'string' ? model : '';
    this.#tokens = countTokens(undefined, usage);
  }
}

function parse(json: string): object {
  const value = parseJson(json);
  return isRecord(value) ? value : {};
}
