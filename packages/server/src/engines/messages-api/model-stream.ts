// One request to the Messages API as batches of stream events: a batch is what one chunk of bytes brought.
// A reply that stalls, breaks off or ends too early throws an ApiProblem.
import type { MessageCreateParamsStreaming } from '@anthropic-ai/sdk/resources/messages';
import { type ApiClient, problemInStream } from './api-client.ts';
import { ApiProblem } from './api-problem.ts';
import type { StreamEvent } from './message-fold.ts';
import { SseDecoder } from './sse-decoder.ts';

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
  const stall = setTimeout(() => {
    ending.abort(new ApiProblem('stalled', `nothing came for ${stallMs} ms`));
  }, stallMs);
  try {
    const response = await client.open(request, ending.signal);
    const decoder = new SseDecoder();
    for await (const chunk of chunksOf(response, ending.signal)) {
      stall.refresh();
      const { events, problem } = parseEvents(decoder.push(chunk));
      if (events.length > 0) yield events;
      if (problem !== undefined) throw problem;
      if (events.at(-1)?.type === 'message_stop') return;
    }
    throw new ApiProblem('cut-off', 'the stream ended before message_stop');
  } finally {
    clearTimeout(stall);
    signal.removeEventListener('abort', end);
    // Also ends the request when the reader leaves in the middle.
    ending.abort();
  }
}

/** Whatever breaks the connection under way means the same: the rest does not come. */
async function* chunksOf(response: Response, signal: AbortSignal): AsyncGenerator<Uint8Array, void, void> {
  if (response.body === null) throw new ApiProblem('cut-off', 'the reply has no body');
  const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader();
  for (;;) {
    let next: Awaited<ReturnType<typeof reader.read>>;
    try {
      next = await reader.read();
    } catch (cause) {
      if (signal.aborted) throw signal.reason;
      throw new ApiProblem('cut-off', 'the connection broke off', { cause });
    }
    if (next.done) return;
    yield next.value;
  }
}

/** What came before a problem in the same chunk still counts. */
function parseEvents(chunk: readonly string[]): {
  readonly events: readonly StreamEvent[];
  readonly problem?: ApiProblem;
} {
  const events: StreamEvent[] = [];
  for (const data of chunk) {
    let event: StreamEvent;
    try {
      event = JSON.parse(data) as StreamEvent;
    } catch (cause) {
      return { events, problem: new ApiProblem('cut-off', 'an event of the stream is no JSON', { cause }) };
    }
    if (event.type === 'error') {
      const error = event['error'] as { type?: unknown; message?: unknown } | undefined;
      return { events, problem: problemInStream(error?.type, error?.message) };
    }
    events.push(event);
  }
  return { events };
}
