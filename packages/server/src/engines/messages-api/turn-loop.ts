// The agent loop of one turn: asks the model, runs the tools it calls and returns their results to it, until it has answered.
import {
  type ContentBlock,
  type EngineEvent,
  type EngineFailure,
  type Message,
  messageText,
  type SessionId,
  say,
  type TurnEvent,
} from '@parley/protocol';
import type { BoundedMap } from '../../basics/bounded-map.ts';
import { maxCost, payerOf } from '../../domain/budgets.ts';
import { type EngineTurn, failedBecause } from '../../domain/engine.ts';
import type { Logger } from '../../domain/logger.ts';
import { toUsage } from '../../domain/prices.ts';
import type { Spending } from '../../domain/spending.ts';
import type { Tool } from '../../domain/tool.ts';
import type { ApiClient } from './api-client.ts';
import { type ApiProblem, toFailure } from './api-problem.ts';
import type { Caution } from './caution.ts';
import type { Conversation } from './conversation.ts';
import { idOf } from './history.ts';
import type { MessagesApiLimits } from './limits.ts';
import { type MessageState, saidSoFar, tokensOf } from './message-fold.ts';
import { callModel, type ModelOutcome } from './model-call.ts';
import { refusesServerTools } from './server-tools.ts';
import type { ToolInputCheck } from './tool-input.ts';
import { runTools, type ToolCall } from './tool-runs.ts';

export interface TurnLoop {
  readonly turn: EngineTurn;
  readonly conversation: Conversation;
  readonly caution: Caution;
  readonly client: ApiClient;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly inputCheck: ToolInputCheck;
  /** How many left-out turns the person of each session has been told about. Telling them twice does no harm. */
  readonly announcedCuts: BoundedMap<SessionId, number>;
  readonly limits: MessagesApiLimits;
  readonly spending: Spending;
  readonly logger: Logger;
  readonly random: () => number;
  /** So that later turns don't try them again. */
  readonly onServerToolsRefused: () => void;
  /** So that later turns of the session don't send them again. */
  readonly onPicturesRefused: () => void;
  /** False if the model must answer without tools. */
  readonly mayCallTools: boolean;
}

export async function* runTurnLoop(loop: TurnLoop): AsyncGenerator<EngineEvent, void, void> {
  const { turn, conversation, limits } = loop;
  for (let round = 0; ; round += 1) {
    const isWithin = round < limits.maxToolIterations;
    const allowTools = isWithin && loop.mayCallTools;
    if (!isWithin) {
      yield notice(
        'tool-limit',
        `This turn has used all of its ${round} rounds of tool calls. Claude answers with what it has.`,
      );
    }

    const outcome = yield* askModel(loop, allowTools);
    if (outcome.kind !== 'complete') {
      yield* keepPartial(outcome.message);
      if (outcome.kind === 'failed') yield reportFailure(outcome.problem, loop);
      if (outcome.kind === 'refused') yield failedBecause(outcome.error, true);
      return;
    }

    const reply = readReply(outcome.message, allowTools);
    if (reply.content.length > 0) yield* publish(reply.content, conversation);
    loop.caution.noteReply(reply.content);
    yield* usageOf(outcome.message);
    yield* fullness(outcome.message, limits.contextTokens);
    if (outcome.message.tokens !== undefined) conversation.learn(outcome.message.tokens);

    if (reply.calls.length > 0) {
      const results = yield* runTools(reply.calls, {
        ...loop,
        promptNumber: conversation.promptNumber,
        hasReadOutside: conversation.hasReadOutside,
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

/** Repeats a request that turns out too long with less of the earlier conversation. */
async function* askModel(loop: TurnLoop, allowTools: boolean): AsyncGenerator<TurnEvent, ModelOutcome, void> {
  const { turn, conversation, announcedCuts } = loop;
  conversation.makeRoom();
  let hasDroppedPictures = false;
  for (;;) {
    const { leftOut } = conversation;
    if (leftOut > (announcedCuts.get(turn.session.id) ?? 0)) {
      announcedCuts.set(turn.session.id, leftOut);
      yield trimNotice;
    }
    const request = conversation.request({ allowTools });
    const most = maxCost(request.model, { input: conversation.maxTokens, output: request.max_tokens });
    const outcome = yield* callModel({
      ...loop,
      request,
      signal: turn.signal,
      reserve: () => loop.spending.reserve(payerOf(turn.session), most, turn.signal),
      door: turn.door ?? '',
    });
    // Only now it is certain that an earlier picture was to blame, and not one of this turn.
    if (hasDroppedPictures && outcome.kind === 'complete') {
      loop.onPicturesRefused();
      yield noPictures;
    }
    if (outcome.kind !== 'failed') return outcome;
    if (outcome.problem.kind === 'too-long' && conversation.shrink()) continue;
    if (outcome.problem.kind.startsWith('unreadable-') && conversation.dropPictures()) {
      hasDroppedPictures = true;
      continue;
    }
    // Some accounts may not use the service's own tools, and some compatible servers don't have them.
    if (!refusesServerTools(outcome.problem) || !conversation.dropServerTools()) return outcome;
    loop.onServerToolsRefused();
    yield noServerTools;
  }
}

interface ReadReply {
  /** The part of the message that is stored. */
  readonly content: readonly ContentBlock[];
  readonly calls: readonly ToolCall[];
}

function readReply({ blocks, brokenCalls, stopReason }: MessageState, allowTools: boolean): ReadReply {
  // A call that may not run must not be stored either: it would never get its result.
  const content = allowTools ? blocks : blocks.filter((block) => block.type !== 'tool_use');
  // When the reply reached its length limit within a call, its input is incomplete.
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

function* publish(
  content: readonly ContentBlock[],
  conversation: Conversation,
): Generator<TurnEvent, void, void> {
  const message: Message = { role: 'assistant', content: [...content] };
  conversation.add(message);
  yield { type: 'message', ...message };
}

/** Keeps the parts of an unfinished message that are complete. */
function* keepPartial(message: MessageState): Generator<TurnEvent, void, void> {
  const said = saidSoFar(message);
  if (said.length > 0) yield { type: 'message', role: 'assistant', content: [...said] };
  yield* usageOf(message);
}

/** Every turn ends with a text, because not every door shows notices. */
function* close(
  { stopReason }: MessageState,
  content: readonly ContentBlock[],
  conversation: Conversation,
): Generator<TurnEvent, void, void> {
  const unusual = stopNotices.get(stopReason ?? '');
  if (unusual) yield notice(...unusual);
  if (messageText(content).trim() !== '') return;
  const text = closingText(stopReason);
  yield { type: 'text.delta', text };
  yield* publish([{ type: 'text', text }], conversation);
}

function* usageOf(message: MessageState): Generator<TurnEvent, void, void> {
  const { model } = message;
  const tokens = tokensOf(message);
  if (tokens !== undefined) yield { type: 'usage', model, usage: toUsage(model, tokens) };
}

/** Reports how full the context is once that matters. */
function* fullness(message: MessageState, window: number): Generator<TurnEvent, void, void> {
  const { input = 0, output = 0, cacheRead = 0, cacheWrite = 0 } = tokensOf(message) ?? {};
  const tokens = input + output + cacheRead + cacheWrite;
  if (tokens > window * worthSaying) yield { type: 'context', tokens, window };
}

const worthSaying = 0.6;

function reportFailure(problem: ApiProblem, { logger, turn }: TurnLoop): EngineFailure {
  const { status, requestId } = problem.details;
  logger.warn(
    { turn: turn.id, problem: problem.kind, status, requestId, reason: problem.message },
    'a model call failed',
  );
  return toFailure(problem);
}

const trimNotice = notice(
  'history-trimmed',
  'The conversation is long, so its oldest part is no longer sent to the model.',
);
const noServerTools = notice(
  'no-web-search',
  say`The Anthropic API does not let this key search the web, so Claude answers without it. Allow web search in the Anthropic Console, or configure another search service.`,
);
const noPictures = notice(
  'pictures-left-out',
  say`Claude could not read a picture or file from earlier in this conversation, so its earlier pictures and files are no longer sent. Send the ones that matter again.`,
);

/** What a person reads about the way a reply ended; nothing when it ended normally. */
const stopNotices = new Map<string, readonly [code: string, message: string]>(
  Object.entries({
    max_tokens: [
      'reply-cut',
      say`The answer reached its length limit and was cut off. Ask Claude to continue to get the rest.`,
    ],
    model_context_window_exceeded: [
      'reply-cut',
      say`The conversation is as long as the model allows. Start a new one to continue.`,
    ],
    refusal: ['refused', say`Claude declined to answer. Rephrase your message, or start a new conversation.`],
    pause_turn: [
      'tool-limit',
      say`The model wanted to use more tools than one turn allows. Ask Claude to continue.`,
    ],
  } as const),
);

/** The answer when the reply has no text. */
function closingText(stopReason: string | undefined): string {
  switch (stopReason) {
    case 'max_tokens':
    case 'model_context_window_exceeded':
      return 'I ran out of space before I could answer. Please ask again, perhaps for less at once.';
    case 'refusal':
      return 'I cannot help with this request.';
    case 'tool_use':
    case 'pause_turn':
      return 'I stopped here because I have used all the tool calls that one turn allows. Ask me to continue if you like.';
    default:
      return 'I have nothing to add.';
  }
}

function notice(code: string, message: string): TurnEvent {
  return { type: 'notice', code, message };
}
