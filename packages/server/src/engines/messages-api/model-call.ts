// One model call with its retries: yields what a person sees as it arrives, and returns the outcome.
// Problems of the service are an outcome; it throws only for our own bugs.
import { ParleyError, say, type TurnEvent } from '@parley/protocol';
import { backoffMs, pause, withJitter } from '../../basics/backoff.ts';
import { waitText } from '../../content/waiting-time.ts';
import { budgetNotice } from '../../domain/budgets.ts';
import { toUsage } from '../../domain/prices.ts';
import type { Reservation } from '../../domain/spending.ts';
import type { ApiClient } from './api-client.ts';
import { ApiProblem, isTransient } from './api-problem.ts';
import type { MessagesApiLimits } from './limits.ts';
import { emptyMessage, foldMessage, type MessageState, type StreamEvent, tokensOf } from './message-fold.ts';
import { streamModel } from './model-stream.ts';
import type { MessagesRequest } from './request.ts';
import { serverToolEvents } from './server-tools.ts';

/** The outcome of a model call, with everything of the message that arrived. */
export type ModelOutcome =
  | { readonly kind: 'complete'; readonly message: MessageState }
  | { readonly kind: 'interrupted'; readonly message: MessageState }
  /** A budget is used up. */
  | { readonly kind: 'refused'; readonly message: MessageState; readonly error: ParleyError }
  | { readonly kind: 'failed'; readonly message: MessageState; readonly problem: ApiProblem };

export interface ModelCall {
  readonly client: ApiClient;
  readonly request: MessagesRequest;
  readonly signal: AbortSignal;
  readonly limits: MessagesApiLimits;
  readonly random: () => number;
  /** Called before each attempt. Rejects when the signal aborts. */
  readonly reserve: () => Promise<Reservation | ParleyError>;
  readonly door: string;
}

export async function* callModel(call: ModelCall): AsyncGenerator<TurnEvent, ModelOutcome, void> {
  const { client, request, signal, limits } = call;
  for (let attempt = 1; ; attempt += 1) {
    let message = emptyMessage;
    let shown = false;
    let warnings: readonly string[] = [];
    let problem: ApiProblem | undefined;
    const held = await call.reserve().catch((thrown: unknown) => {
      if (!signal.aborted) throw thrown;
    });
    if (held instanceof ParleyError) return { kind: 'refused', message, error: held };
    if (held === undefined) return { kind: 'interrupted', message };
    try {
      for await (const events of streamModel(client, request, { signal, stallMs: limits.stallMs })) {
        const known = message.blocks.length;
        for (const event of events) message = foldMessage(message, event);
        for (const event of [...visibleEvents(events), ...serverToolEvents(message.blocks, known)]) {
          shown = true;
          yield event;
        }
      }
    } catch (thrown) {
      if (!signal.aborted && !(thrown instanceof ApiProblem)) throw thrown;
      if (thrown instanceof ApiProblem) problem = thrown;
    } finally {
      // Runs even if the reader has left.
      warnings = await settle(held, message, call.door);
    }
    yield* warnings.map(budgetNotice);
    if (message.isComplete && problem === undefined) return { kind: 'complete', message };
    if (signal.aborted || problem === undefined) return { kind: 'interrupted', message };
    const pauseMs = pauseBeforeRetry({ problem, attempt, shown }, limits, call.random);
    if (pauseMs === undefined) return { kind: 'failed', message, problem };
    yield retryNotice(problem, pauseMs, attempt + 1, limits.maxAttempts);
    if (!(await pause(pauseMs, signal))) return { kind: 'interrupted', message };
  }
}

async function settle(held: Reservation, message: MessageState, door: string): Promise<readonly string[]> {
  const { model } = message;
  const tokens = tokensOf(message);
  if (tokens !== undefined)
    return held.settle({ engine: 'messages-api', door, model, usage: toUsage(model, tokens) });
  held.cancel();
  return [];
}

export interface FailedAttempt {
  readonly problem: ApiProblem;
  /** Counts from 1. */
  readonly attempt: number;
  /** Whether any of the reply was shown. Then it is never requested again. */
  readonly shown: boolean;
}

/** The pause before the next attempt in milliseconds; undefined if there must be no other attempt. */
export function pauseBeforeRetry(
  { problem, attempt, shown }: FailedAttempt,
  limits: Pick<MessagesApiLimits, 'maxAttempts' | 'firstPauseMs' | 'longestPauseMs' | 'longestRetryAfterMs'>,
  random: () => number,
): number | undefined {
  if (shown || attempt >= limits.maxAttempts || !isTransient(problem)) return undefined;
  const backoff = { firstMs: limits.firstPauseMs, longestMs: limits.longestPauseMs };
  const pause = withJitter(backoffMs(attempt, backoff), random);
  const asked = problem.details.retryAfterMs;
  if (asked === undefined) return pause;
  return asked > limits.longestRetryAfterMs ? undefined : Math.max(asked, pause);
}

/**
 * What a person sees of a batch. Deltas of one kind that arrived together become one event: nobody could tell them
 * apart, and it saves work in every later step under load.
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
    message: `${reasonToWait(problem)}. Trying again ${waitText(seconds)} (attempt ${attempt} of ${attempts}).`,
  };
}

function reasonToWait({ kind }: ApiProblem): string {
  switch (kind) {
    case 'rate-limited':
      return say`The API key has reached its rate limit`;
    case 'overloaded':
      return say`Claude is overloaded`;
    case 'unreachable':
      return say`The Anthropic API cannot be reached`;
    case 'cut-off':
      return say`The connection to the Anthropic API was lost`;
    default:
      return say`The Anthropic API has an internal problem`;
  }
}
