// The agent loop of one turn: ask the model, run the tools it calls, give it the results, until it has answered.
import {
  type ContentBlock,
  type EngineEvent,
  type EngineFailure,
  type Message,
  messageText,
  type TurnEvent,
} from '@parley/protocol';
import type { EngineTurn } from '../../domain/engine.ts';
import type { Logger } from '../../domain/logger.ts';
import type { Tool } from '../../domain/tool.ts';
import type { ApiClient } from './api-client.ts';
import { type ApiProblem, toFailure } from './api-problem.ts';
import type { Conversation } from './conversation.ts';
import { idOf } from './history.ts';
import type { MessagesApiLimits } from './limits.ts';
import { type MessageState, saidSoFar } from './message-fold.ts';
import { callModel, type ModelOutcome } from './model-call.ts';
import { toUsage } from './prices.ts';
import { refusesServerTools } from './server-tools.ts';
import { closingWords, stopNotice } from './stop-reasons.ts';
import type { ToolInputCheck } from './tool-input.ts';
import { runTools, type ToolCall } from './tool-runs.ts';
import type { TrimNotices } from './trim-notices.ts';

export interface TurnLoop {
  readonly turn: EngineTurn;
  readonly conversation: Conversation;
  readonly client: ApiClient;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly inputCheck: ToolInputCheck;
  readonly trimNotices: TrimNotices;
  readonly limits: MessagesApiLimits;
  readonly logger: Logger;
  readonly random: () => number;
  /** Later turns need not try them again. */
  readonly onServerToolsRefused: () => void;
  /** Later turns of the session need not try them again. */
  readonly onPicturesRefused: () => void;
}

export async function* runTurnLoop(loop: TurnLoop): AsyncGenerator<EngineEvent, void, void> {
  const { turn, conversation, limits } = loop;
  for (let round = 0; ; round += 1) {
    const allowTools = round < limits.maxToolIterations;
    if (round === limits.maxToolIterations) yield toolLimitNotice(limits.maxToolIterations);

    const outcome = yield* askModel(loop, allowTools);
    if (outcome.kind !== 'complete') {
      yield* breakOff(outcome.message);
      if (outcome.kind === 'failed') yield reportFailure(outcome.problem, loop);
      return;
    }

    const reply = readReply(outcome.message, allowTools);
    if (reply.content.length > 0) yield* say(reply.content, conversation);
    yield* usageOf(outcome.message);
    if (outcome.message.tokens !== undefined) conversation.learn(outcome.message.tokens);

    if (reply.calls.length > 0) {
      const results = yield* runTools(reply.calls, {
        ...loop,
        promptNumber: conversation.promptNumber,
        usedTools: conversation.usedTools,
      });
      const answer: Message = { role: 'user', content: [...results] };
      conversation.add(answer);
      yield { type: 'message', ...answer };
      if (turn.signal.aborted) return;
      continue;
    }
    if (outcome.message.stopReason === 'pause_turn' && allowTools && reply.content.length > 0) continue;
    yield* close(outcome.message, reply.content, conversation);
    return;
  }
}

/** A request that turns out too long is made again with less of the earlier conversation. */
async function* askModel(loop: TurnLoop, allowTools: boolean): AsyncGenerator<TurnEvent, ModelOutcome, void> {
  const { turn, conversation, trimNotices } = loop;
  conversation.makeRoom();
  for (;;) {
    if (trimNotices.isNews(turn.session.id, conversation.leftOut)) yield trimNotice;
    const request = conversation.request({ allowTools });
    const outcome = yield* callModel({ ...loop, request, signal: turn.signal });
    if (outcome.kind !== 'failed') return outcome;
    if (outcome.problem.kind === 'too-long' && conversation.shrink()) continue;
    if (outcome.problem.kind === 'unreadable-picture' && conversation.dropPictures()) {
      loop.onPicturesRefused();
      yield noPictures;
      continue;
    }
    // Not every account may use the service's own tools, nor does every server that speaks like it know them.
    if (!refusesServerTools(outcome.problem) || !conversation.dropServerTools()) return outcome;
    loop.onServerToolsRefused();
    yield noServerTools;
  }
}

interface ReadReply {
  /** What is kept of the message. */
  readonly content: readonly ContentBlock[];
  readonly calls: readonly ToolCall[];
}

function readReply({ blocks, brokenCalls, stopReason }: MessageState, allowTools: boolean): ReadReply {
  // A call that may not be run must not be kept either: it would wait for a result for ever.
  const content = allowTools ? blocks : blocks.filter((block) => block.type !== 'tool_use');
  // Where the reply reached its length limit within a call, what there is of the input cannot be trusted.
  const cut = stopReason === 'max_tokens' ? content.at(-1) : undefined;
  const calls = content
    .filter((block) => block.type === 'tool_use')
    .map((block) => ({
      id: idOf(block),
      name: String(block['name']),
      input: block['input'],
      isBroken: block === cut || brokenCalls.includes(idOf(block)),
    }));
  return { content, calls };
}

function* say(
  content: readonly ContentBlock[],
  conversation: Conversation,
): Generator<TurnEvent, void, void> {
  const message: Message = { role: 'assistant', content: [...content] };
  conversation.add(message);
  yield { type: 'message', ...message };
}

/** Keeps of an unfinished message what can stand by itself. */
function* breakOff(message: MessageState): Generator<TurnEvent, void, void> {
  const said = saidSoFar(message);
  if (said.length > 0) yield { type: 'message', role: 'assistant', content: [...said] };
  yield* usageOf(message);
}

/** Every turn ends with words, for not every door shows notices. */
function* close(
  { stopReason }: MessageState,
  content: readonly ContentBlock[],
  conversation: Conversation,
): Generator<TurnEvent, void, void> {
  const notice = stopNotice(stopReason);
  if (notice !== undefined) yield notice;
  if (messageText(content).trim() !== '') return;
  const text = closingWords(stopReason);
  yield { type: 'text.delta', text };
  yield* say([{ type: 'text', text }], conversation);
}

function* usageOf({ model, tokens }: MessageState): Generator<TurnEvent, void, void> {
  if (tokens !== undefined) yield { type: 'usage', model, usage: toUsage(model, tokens) };
}

function reportFailure(problem: ApiProblem, { logger, turn }: TurnLoop): EngineFailure {
  const { status, requestId } = problem.details;
  logger.warn(
    { turn: turn.id, problem: problem.kind, status, requestId, reason: problem.message },
    'a model call failed',
  );
  return toFailure(problem);
}

const trimNotice: TurnEvent = {
  type: 'notice',
  code: 'history-trimmed',
  message: 'The conversation has become long, so its oldest part is no longer sent to the model.',
};

const noServerTools: TurnEvent = {
  type: 'notice',
  code: 'no-web-search',
  message:
    'The Anthropic API does not let this key search the web, so the answer is made without it. Allow web search in the Anthropic Console, or choose another search in the configuration.',
};

const noPictures: TurnEvent = {
  type: 'notice',
  code: 'pictures-left-out',
  message:
    'Claude could not read a picture from earlier in this conversation, so its earlier pictures are no longer sent. Send again those that matter.',
};

function toolLimitNotice(limit: number): TurnEvent {
  return {
    type: 'notice',
    code: 'tool-limit',
    message: `The limit of ${limit} rounds of tool calls in one turn is reached. The answer is made from what is there.`,
  };
}
