// One model call with its retries: yields what a person sees as it arrives, and returns how it came out.
// It never throws for what the service does; only a defect of ours gets out.
import type { TurnEvent } from '@parley/protocol';
import { pause } from '../../basics/backoff.ts';
import { inTime } from '../../content/waiting-time.ts';
import type { ApiClient } from './api-client.ts';
import { ApiProblem } from './api-problem.ts';
import type { MessagesApiLimits } from './limits.ts';
import { emptyMessage, foldMessage, type MessageState, type StreamEvent } from './message-fold.ts';
import { streamModel } from './model-stream.ts';
import type { MessagesRequest } from './request.ts';
import { pauseBeforeRetry } from './retry-policy.ts';
import { serverToolEvents } from './server-tools.ts';

/** How a model call came out, with all of the message that arrived. */
export type ModelOutcome =
  | { readonly kind: 'complete'; readonly message: MessageState }
  | { readonly kind: 'interrupted'; readonly message: MessageState }
  | { readonly kind: 'failed'; readonly message: MessageState; readonly problem: ApiProblem };

export interface ModelCall {
  readonly client: ApiClient;
  readonly request: MessagesRequest;
  readonly signal: AbortSignal;
  readonly limits: MessagesApiLimits;
  readonly random: () => number;
}

export async function* callModel(call: ModelCall): AsyncGenerator<TurnEvent, ModelOutcome, void> {
  const { client, request, signal, limits } = call;
  for (let attempt = 1; ; attempt += 1) {
    let message = emptyMessage;
    let shown = false;
    let problem: ApiProblem;
    try {
      for await (const events of streamModel(client, request, { signal, stallMs: limits.stallMs })) {
        const known = message.blocks.length;
        for (const event of events) message = foldMessage(message, event);
        for (const event of [...visibleEvents(events), ...serverToolEvents(message.blocks, known)]) {
          shown = true;
          yield event;
        }
      }
      return { kind: 'complete', message };
    } catch (thrown) {
      if (signal.aborted) return { kind: 'interrupted', message };
      if (!(thrown instanceof ApiProblem)) throw thrown;
      problem = thrown;
    }
    const pauseMs = pauseBeforeRetry({ problem, attempt, shown }, limits, call.random);
    if (pauseMs === undefined) return { kind: 'failed', message, problem };
    yield retryNotice(problem, pauseMs, attempt + 1, limits.maxAttempts);
    if (!(await pause(pauseMs, signal))) return { kind: 'interrupted', message };
  }
}

/**
 * What a person sees of a batch. Deltas of one kind that arrived together become one event: nobody could see
 * them apart, and under load, when much arrives at once, it saves every later step the same work.
 */
export function visibleEvents(events: readonly StreamEvent[]): readonly TurnEvent[] {
  const visible: { type: 'text.delta' | 'thinking.delta'; text: string }[] = [];
  for (const event of events) {
    if (event.type !== 'content_block_delta') continue;
    const delta = event['delta'] as { type: string; text?: string; thinking?: string };
    const type = delta.type === 'text_delta' ? 'text.delta' : 'thinking.delta';
    const text = delta.type === 'text_delta' ? delta.text : delta.thinking;
    if (text === undefined || text === '') continue;
    const last = visible.at(-1);
    if (last?.type === type) last.text += text;
    else visible.push({ type, text });
  }
  return visible;
}

function retryNotice(problem: ApiProblem, pauseMs: number, attempt: number, attempts: number): TurnEvent {
  const seconds = Math.ceil(pauseMs / 1_000);
  return {
    type: 'notice',
    code: 'retrying',
    message: `${reasonToWait(problem)}. Trying again ${inTime(seconds)} (attempt ${attempt} of ${attempts}).`,
  };
}

function reasonToWait({ kind }: ApiProblem): string {
  switch (kind) {
    case 'rate-limited':
      return 'The limit of the API key is used up for the moment';
    case 'overloaded':
      return 'Claude is overloaded';
    case 'unreachable':
      return 'The Anthropic API cannot be reached';
    case 'cut-off':
      return 'The connection to the Anthropic API broke off';
    default:
      return 'The Anthropic API has a problem of its own';
  }
}
