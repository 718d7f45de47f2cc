// One request to the Messages API as batches of stream events: a batch is what one chunk of bytes brought.
// A reply that stalls, breaks off or ends too early throws an ApiProblem.
import type { MessageCreateParamsStreaming } from '@anthropic-ai/sdk/resources/messages';
import type { ApiClient } from './api-client.ts';
import { ApiProblem } from './api-problem.ts';
import type { StreamEvent } from './message-fold.ts';
import { SseDecoder } from './sse-decoder.ts';
import { readEvents } from './stream-events.ts';

export interface StreamOptions {
  readonly signal: AbortSignal;
  readonly stallMs: number;
}

export async function* streamModel(
  client: ApiClient,
  request: MessageCreateParamsStreaming,
  { signal, stallMs }: StreamOptions,
): AsyncGenerator<readonly StreamEvent[], void, void> {
  signal.throwIfAborted();
  const ending = new AbortController();
  const end = (): void => ending.abort(signal.reason);
  signal.addEventListener('abort', end, { once: true });
  let isReading = true;
  const stall = setTimeout(() => {
    // A consumer that takes its time is no stall of the service.
    if (isReading) ending.abort(new ApiProblem('stalled', `nothing came for ${stallMs} ms`));
    else stall.refresh();
  }, stallMs);
  let isComplete = false;
  try {
    const body = (await client.open(request, ending.signal))[Symbol.asyncIterator]();
    const decoder = new SseDecoder();
    for (;;) {
      const chunk = await readChunk(body, ending.signal);
      if (chunk === undefined) throw new ApiProblem('cut-off', 'the stream ended before message_stop');
      const { events, problem } = readEvents(decoder.push(chunk));
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
    // Whoever leaves in the middle leaves the request.
    if (!isComplete) ending.abort();
  }
}

type ModelBody = AsyncIterator<Uint8Array>;

/** How long a service may keep a stream open that has said all. */
const lingerMs = 1_000;

/** Undefined at the end. Whatever breaks the connection under way means the same: the rest does not come. */
async function readChunk(body: ModelBody, signal: AbortSignal): Promise<Uint8Array | undefined> {
  try {
    const { done, value } = await body.next();
    return done ? undefined : value;
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    throw new ApiProblem('cut-off', 'the connection broke off', { cause });
  }
}

/** Only a body that was read to its end leaves its connection free for the next request. */
async function readToEnd(body: ModelBody, ending: AbortController): Promise<void> {
  const timer = setTimeout(() => ending.abort(), lingerMs);
  try {
    while (!(await body.next()).done);
  } catch {
    // Everything that matters has arrived.
  } finally {
    clearTimeout(timer);
  }
}
