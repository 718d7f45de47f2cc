// Server-sent events over fetch: comes back by itself after a break and goes on after the last event it saw.
import { ApiError, request } from './http.ts';

interface ServerEvent {
  readonly id: string;
  readonly name: string;
  /** Empty where the server told only its number, to come back with. */
  readonly data: string;
}

export interface StreamOptions {
  readonly signal: AbortSignal;
  /** Events after this id. */
  readonly after?: string;
  readonly onEvent: (event: ServerEvent) => void;
  /** True while the stream stands. */
  readonly onConnection?: (isConnected: boolean) => void;
}

const firstPauseMs = 500;
const longestPauseMs = 10_000;

/** Follows the stream until the signal aborts. Rejects only when the server refuses for good. */
export async function followStream(path: string, options: StreamOptions): Promise<void> {
  let lastId = options.after;
  let pauseMs = firstPauseMs;
  while (!options.signal.aborted) {
    try {
      const response = await request(path, {
        signal: options.signal,
        headers: { accept: 'text/event-stream', ...(lastId !== undefined && { 'last-event-id': lastId }) },
      });
      options.onConnection?.(true);
      pauseMs = firstPauseMs;
      for await (const event of readEvents(response)) {
        if (event.id) lastId = event.id;
        if (event.data !== '') options.onEvent(event);
      }
    } catch (error) {
      if (options.signal.aborted) return;
      if (error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429)
        throw error;
    }
    options.onConnection?.(false);
    await pause(pauseMs, options.signal);
    pauseMs = Math.min(pauseMs * 2, longestPauseMs);
  }
}

/** The events of one answer, as they arrive. */
export async function* readEvents(response: Response): AsyncGenerator<ServerEvent, void, void> {
  if (!response.body) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (rest + value).split(/\r?\n\r?\n/);
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const event = parseEvent(block);
        if (event) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Comments and empty blocks, which only keep the line open, give nothing. */
export function parseEvent(block: string): ServerEvent | undefined {
  let id = '';
  let name = 'message';
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'id') id = value;
    if (field === 'event') name = value;
    if (field === 'data') data.push(value);
  }
  return data.length === 0 && id === '' ? undefined : { id, name, data: data.join('\n') };
}

/** Ends early when the network comes back. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      window.removeEventListener('online', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    window.addEventListener('online', done);
    signal.addEventListener('abort', done);
  });
}
