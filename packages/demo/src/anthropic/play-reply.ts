// Writes one reply to an HTTP response, as a stream of server-sent events or as one message, at its pace.
// Ends early when the client disconnects.
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { sendJson } from '../loopback-server.ts';
import type { ErrorType, MessagesBody, Usage, WireEvent } from './messages-wire.ts';
import type { Connection, MessageReply, Pace, ReplyPart } from './reply.ts';
import { encodeEvent, encodeToolStart, planStream, type Step, signature } from './stream-plan.ts';

export type Playing = {
  readonly response: ServerResponse;
  readonly body: MessagesBody;
  readonly reply: MessageReply;
  readonly usage: Usage;
  readonly pace: Pace;
  readonly headers: Readonly<Record<string, string>>;
  /** Write each event as its own chunk instead of batching all events that are due. */
  readonly eventsApart: boolean;
  readonly newId: (prefix: 'msg' | 'toolu') => string;
  /** Aborts when the client disconnects or the service closes. */
  readonly signal: AbortSignal;
};

export async function playReply(playing: Playing): Promise<void> {
  if (playing.body.stream === true) return playStream(playing);
  return playWhole(playing);
}

const batchLength = 64 * 1024;

async function playStream(playing: Playing): Promise<void> {
  const { response, reply, usage, signal } = playing;
  const stream = new EventStream(playing);
  if (playing.pace.firstMs) await pause(playing.pace.firstMs, signal);
  stream.restartPace();
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    ...playing.headers,
  });
  const { output_tokens: _, ...input } = usage;
  const message = { ...emptyMessage(playing), usage: { ...input, output_tokens: 1 } };
  await stream.write(encodeEvent({ type: 'message_start', message }));
  await stream.write(encodeEvent({ type: 'ping' }));
  for (const step of planStream(reply.parts)) {
    if (!(await playStep(step, stream, playing))) return;
  }
  const delta = { stop_reason: stopReason(reply), stop_sequence: null };
  await stream.write(encodeEvent({ type: 'message_delta', delta, usage }));
  await stream.write(encodeEvent({ type: 'message_stop' }));
  await stream.flush();
  response.end();
}

/** Returns false when the stream is over. */
async function playStep(step: Step, stream: EventStream, playing: Playing): Promise<boolean> {
  switch (step.step) {
    case 'frame':
      if (step.delta) await stream.keepPace();
      await stream.write(step.frame);
      return true;
    case 'tool_start':
      await stream.write(encodeToolStart(step.index, step.id ?? playing.newId('toolu'), step.name));
      return true;
    case 'interruption':
      await stream.flush();
      await step.interrupt(connectionOf(playing));
      stream.restartPace();
      return !isOver(playing.response);
    default:
      return step satisfies never;
  }
}

async function playWhole(playing: Playing): Promise<void> {
  const { response, reply, usage, signal, pace } = playing;
  if (pace.firstMs) await pause(pace.firstMs, signal);
  for (const part of reply.parts) {
    if (part.part !== 'interruption') continue;
    await part.interrupt(connectionOf(playing));
    if (isOver(response)) return;
  }
  const content = wholeBlocks(reply.parts, playing.newId);
  const message = { ...emptyMessage(playing), content, stop_reason: stopReason(reply), usage };
  sendJson(response, 200, message, playing.headers);
}

function connectionOf({ response, body, headers, signal }: Playing): Connection {
  return { response, isStream: body.stream === true, headers, signal };
}

function isOver(response: ServerResponse): boolean {
  return response.writableEnded || response.destroyed;
}

export function errorBody(type: ErrorType, message: string, requestId?: string): WireEvent {
  const id = requestId === undefined ? {} : { request_id: requestId };
  return { type: 'error', error: { type, message }, ...id };
}

function emptyMessage({ body, reply, newId }: Playing): object {
  return {
    id: newId('msg'),
    type: 'message',
    role: 'assistant',
    model: reply.model ?? body.model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
  };
}

function stopReason(reply: MessageReply): string {
  return reply.stopReason ?? (reply.parts.some((part) => part.part === 'tool_use') ? 'tool_use' : 'end_turn');
}

function wholeBlocks(parts: readonly ReplyPart[], newId: Playing['newId']): readonly object[] {
  const blocks: Record<string, unknown>[] = [];
  for (const part of parts) {
    if (part.part === 'tool_use') {
      blocks.push({ type: 'tool_use', id: part.id ?? newId('toolu'), name: part.name, input: part.input });
    }
    if (part.part === 'block') blocks.push({ ...part.block });
    if (part.part !== 'text' && part.part !== 'thinking') continue;
    const last = blocks.at(-1);
    const text = part.pieces.join('');
    if (last !== undefined && last['type'] === part.part) last[part.part] = String(last[part.part]) + text;
    else
      blocks.push({ type: part.part, [part.part]: text, ...(part.part === 'thinking' ? { signature } : {}) });
  }
  return blocks;
}

/** Batches events that are due into few writes, and waits if the client reads slower than we write. */
class EventStream {
  readonly #playing: Playing;
  #pending = '';
  #startedAt = performance.now();
  #deltas = 0;

  constructor(playing: Playing) {
    this.#playing = playing;
  }

  async write(frame: string): Promise<void> {
    this.#pending += frame;
    if (this.#playing.eventsApart || this.#pending.length >= batchLength) await this.flush();
  }

  async flush(): Promise<void> {
    if (this.#pending === '') return;
    const { response, signal } = this.#playing;
    const text = this.#pending;
    this.#pending = '';
    signal.throwIfAborted();
    if (response.write(text)) return;
    await new Promise<void>((resolve, reject) => {
      const drained = (): void => {
        signal.removeEventListener('abort', aborted);
        resolve();
      };
      const aborted = (): void => {
        response.removeListener('drain', drained);
        reject(signal.reason as Error);
      };
      response.once('drain', drained);
      signal.addEventListener('abort', aborted, { once: true });
    });
  }

  /** Waits for a due time rather than for a duration, so that late timers don't add up. */
  async keepPace(): Promise<void> {
    const every = this.#playing.pace.everyMs ?? 0;
    if (every <= 0) return;
    const due = this.#startedAt + this.#deltas * every;
    this.#deltas += 1;
    const left = due - performance.now();
    if (left <= 0) return;
    await this.flush();
    await pause(left, this.#playing.signal);
  }

  restartPace(): void {
    this.#startedAt = performance.now();
    this.#deltas = 0;
  }
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal });
}
