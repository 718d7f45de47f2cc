// Sends one request to the Messages API and yields the reply in batches of stream events, one batch per chunk of bytes.
// Throws an ApiProblem when a reply stalls, breaks off or ends too early.
import { StringDecoder } from 'node:string_decoder';
import { createParser } from 'eventsource-parser';
import { isRecord } from '../../basics/is-record.ts';
import type { ApiClient } from './api-client.ts';
import { ApiProblem, problemInStream } from './api-problem.ts';
import type { StreamEvent } from './message-fold.ts';
import type { MessagesRequest } from './request.ts';

export interface StreamOptions {
  readonly signal: AbortSignal;
  readonly stallMs: number;
}

export async function* streamModel(
  client: ApiClient,
  request: MessagesRequest,
  { signal, stallMs }: StreamOptions,
): AsyncGenerator<readonly StreamEvent[], void, void> {
  signal.throwIfAborted();
  const ending = new AbortController();
  const end = (): void => ending.abort(signal.reason);
  signal.addEventListener('abort', end, { once: true });
  let isReading = true;
  const stall = setTimeout(() => {
    // A slow consumer is not a stall of the service.
    if (isReading) ending.abort(new ApiProblem('stalled', `nothing came for ${stallMs} ms`));
    else stall.refresh();
  }, stallMs);
  let isComplete = false;
  try {
    const body = (await client.open(request, ending.signal))[Symbol.asyncIterator]();
    const reader = new EventReader();
    for (;;) {
      const chunk = await readChunk(body, ending.signal);
      if (chunk === undefined) throw new ApiProblem('cut-off', 'the stream ended before message_stop');
      const { events, problem } = reader.read(chunk);
      isReading = false;
      if (events.length > 0) yield events;
      if (problem !== undefined) throw problem;
      if (events.some(({ type }) => type === 'message_stop')) {
        isComplete = true;
        void readToEnd(body, ending);
        return;
      }
      isReading = true;
      stall.refresh();
    }
  } finally {
    clearTimeout(stall);
    signal.removeEventListener('abort', end);
    // A consumer that leaves early cancels the request.
    if (!isComplete) ending.abort();
  }
}

export interface ReadEvents {
  /** Includes events that came before a problem in the same chunk. */
  readonly events: readonly StreamEvent[];
  readonly problem?: ApiProblem | undefined;
}

const longestEvent = 16 * 1024 * 1024;

/**
 * Turns bytes into the events that they complete. Text pieces that arrive together become one event, mostly without the
 * JSON parser: this runs for every token of every stream, and takes half of the time that way.
 */
export class EventReader {
  readonly #decoder = new StringDecoder('utf8');
  #events: StreamEvent[] = [];
  #problem: ApiProblem | undefined;
  #isOver = false;
  #run: TextRun | undefined;
  readonly #parser = createParser({
    maxBufferSize: longestEvent,
    onEvent: ({ data }) => this.#add(data),
    onError: (error) => {
      if (error.type === 'max-buffer-size-exceeded') this.#problem ??= brokenEvent('is too long', error);
    },
  });

  read(chunk: Uint8Array): ReadEvents {
    this.#parser.feed(this.#decoder.write(chunk));
    const events = this.#events;
    this.#events = [];
    this.#run = undefined;
    return { events, problem: this.#problem };
  }

  #add(data: string): void {
    if (this.#problem !== undefined || this.#isOver) return;
    const piece = this.#run && plainText(data, this.#run.head);
    if (this.#run && piece !== undefined) {
      this.#run.delta.text += piece;
      return;
    }
    try {
      const event: unknown = JSON.parse(data);
      if (!isStreamEvent(event)) {
        this.#problem = brokenEvent('lacks what its type promises');
        return;
      }
      this.#run = runOf(event);
      this.#isOver = event.type === 'message_stop';
      if (event.type !== 'error') this.#events.push(event);
      else {
        const error = event['error'] as { type?: unknown; message?: unknown } | undefined;
        this.#problem = problemInStream(error?.type, error?.message);
      }
    } catch (cause) {
      this.#problem = brokenEvent('is not JSON', cause);
    }
  }
}

interface TextRun {
  readonly delta: { text: string };
  /** How the next piece of the same text usually starts. */
  readonly head: string;
}

function runOf({ type, index, delta }: StreamEvent): TextRun | undefined {
  const { type: kind, text } = (delta ?? {}) as { type?: unknown; text?: unknown };
  if (type !== 'content_block_delta' || kind !== 'text_delta' || typeof text !== 'string') return undefined;
  const head = `{"type":"content_block_delta","index":${String(index)},"delta":{"type":"text_delta","text":"`;
  return { delta: delta as { text: string }, head };
}

/** The text of a piece in the usual form, without escapes. The service pads its events with blanks. */
function plainText(data: string, head: string): string | undefined {
  if (!data.startsWith(head)) return undefined;
  const end = data.indexOf('"', head.length);
  const text = data.slice(head.length, end);
  return !text.includes('\\') && /^" *} *}$/.test(data.slice(end)) ? text : undefined;
}

/** An event of an unknown type may have any fields. */
function isStreamEvent(event: unknown): event is StreamEvent {
  if (!isRecord(event)) return false;
  const { type, delta, content_block: block, message } = event;
  switch (type) {
    case 'content_block_delta':
      return isRecord(delta) && isDelta(delta);
    case 'content_block_start':
      return isRecord(block) && typeof block['type'] === 'string';
    case 'message_start':
      return isRecord(message) && isOptionalText(message['model']);
    case 'message_delta':
      return isRecord(delta) && isOptionalText(delta['stop_reason']);
    default:
      return typeof type === 'string';
  }
}

function isDelta({ type, text, thinking }: Readonly<Record<string, unknown>>): boolean {
  if (type === 'text_delta') return typeof text === 'string';
  return type !== 'thinking_delta' || typeof thinking === 'string';
}

function isOptionalText(value: unknown): boolean {
  return value === undefined || value === null || typeof value === 'string';
}

function brokenEvent(how: string, cause?: unknown): ApiProblem {
  return new ApiProblem('cut-off', `an event of the stream ${how}`, { cause });
}

type ModelBody = AsyncIterator<Uint8Array>;

/** How long the service may keep a stream open after its last event. */
const lingerMs = 1_000;

/** Undefined at the end. Any error of the connection means the same: the rest won't come. */
async function readChunk(body: ModelBody, signal: AbortSignal): Promise<Uint8Array | undefined> {
  try {
    const { done, value } = await body.next();
    return done ? undefined : value;
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    throw new ApiProblem('cut-off', 'the connection broke off', { cause });
  }
}

/** A connection can be reused only when its body was read to the end. */
async function readToEnd(body: ModelBody, ending: AbortController): Promise<void> {
  const timer = setTimeout(() => ending.abort(), lingerMs);
  try {
    while (!(await body.next()).done);
  } catch {
    // The whole reply has arrived already.
  } finally {
    clearTimeout(timer);
  }
}
