// The conversation that the model gets in one turn: the earlier turns that fit, the prompt with its reminder, and what
// was said since.
import { type ContentBlock, type Message, messageText } from '@parley/protocol';
import type { Assistant } from '../../domain/assistant.ts';
import type { TokenCounts } from '../../domain/prices.ts';
import type { RecentMessages } from '../../domain/store.ts';
import type { ServerTool, Tool } from '../../domain/tool.ts';
import { sinceCompaction } from './compaction.ts';
import {
  type HistoryTurn,
  hasPictures,
  toTurns,
  usableHistory,
  withoutBlanks,
  withoutPictures,
  withoutThinking,
} from './history.ts';
import type { MessagesApiLimits } from './limits.ts';
import { composeRequest, type MessagesRequest } from './request.ts';
import { estimateMessage, estimateTokens, fits, type Size, sum, turnsToLeaveOut } from './trimming.ts';

export interface ConversationStart {
  readonly model: string;
  readonly assistant: Assistant;
  readonly tools: readonly Tool[];
  readonly serverTools: readonly ServerTool[];
  readonly history: RecentMessages;
  readonly prompt: Message;
  readonly limits: RequestLimits;
  readonly thinkingDisplay?: 'summarized' | 'omitted' | undefined;
}

type RequestLimits = Pick<MessagesApiLimits, 'contextTokens' | 'maxReplyTokens' | 'pictureBytes'>;

/** Leaves room for estimates that are too low. */
const safety = 0.95;

/**
 * The returned check takes one earlier turn after the other, newest first, and says whether it could still be sent.
 * Turns before the first one that doesn't fit don't have to be read, because the prompt and the tools leave even less
 * room.
 */
export function fitsRequest(limits: RequestLimits): (turn: readonly Message[]) => boolean {
  const room = roomFor(limits);
  let taken = sum([]);
  return (turn) => {
    taken = sum([taken, ...toTurns(turn).map(sizeOf)]);
    return fits(taken, room);
  };
}

export class Conversation {
  readonly #start: ConversationStart;
  #turns: readonly HistoryTurn[];
  readonly #unread: number;
  #sizes: readonly Size[];
  readonly #reminder: string | undefined;
  readonly #fixedTokens: number;
  /** Whether text from strangers may be in what was said before this turn ran: true if not all of it is known. */
  readonly hasReadOutside: boolean;
  #current: readonly Message[];
  #leftOut = 0;
  #serverTools: readonly ServerTool[];
  /** Actual tokens per estimated token. */
  #ratio = 1;

  constructor(start: ConversationStart) {
    this.#start = start;
    this.#serverTools = start.serverTools;
    const { summary, later } = sinceCompaction(start.history.turns);
    const { earlier, done } = usableHistory(later, start.prompt);
    this.#turns = toTurns([...summary, ...earlier]);
    // A summary replaces everything before it.
    this.#unread = summary.length > 0 ? 0 : start.history.olderTurns;
    this.#sizes = this.#turns.map(sizeOf);
    this.#reminder = reminderFor(start.assistant, this.#turns, this.#unread);
    const { systemPrompt } = start.assistant;
    this.#fixedTokens = estimateTokens([
      systemPrompt,
      this.#reminder,
      start.tools.map(({ description, inputSchema }) => [description, inputSchema]),
    ]);
    this.#current = toTurns([start.prompt, ...done])[0] ?? [start.prompt];
    this.#leftOut = this.#neededCut();
    const blocks = [...this.#turns.flat(), ...done].flatMap(({ content }) => content);
    this.hasReadOutside =
      this.#unread > 0 || summary.length > 0 || blocks.some((block) => isOutside(block, start.tools));
  }

  /** This turn answers the n-th prompt of the session. */
  get promptNumber(): number {
    return this.#unread + this.#turns.length + 1;
  }

  /** What the person wrote in this turn and in the earlier ones that were read. */
  get personWords(): string {
    const prompts = [...this.#turns.flatMap(([prompt]) => prompt ?? []), this.#start.prompt];
    return prompts.map(({ content }) => messageText(content)).join('\n');
  }

  /** How many of the oldest turns are not sent. */
  get leftOut(): number {
    return this.#leftOut;
  }

  /** A generous estimate of the tokens in the next request. */
  get maxTokens(): number {
    return this.#estimate() * Math.max(1, this.#ratio) * 2;
  }

  add(message: Message): void {
    const sent = withoutBlanks(message);
    if (sent.content.length > 0) this.#current = [...this.#current, sent];
  }

  /** Leaves out more earlier turns as this one grows. */
  makeRoom(): void {
    this.#leaveOut(this.#neededCut());
  }

  /** Leaves out half of the remaining earlier turns. False when there are none. */
  shrink(): boolean {
    const sent = this.#unread + this.#turns.length - this.#leftOut;
    return this.#leaveOut(this.#leftOut + Math.ceil(sent / 2));
  }

  /** Continues without the tools that the service runs. False when there are none. */
  dropServerTools(): boolean {
    const had = this.#serverTools.length > 0;
    this.#serverTools = [];
    return had;
  }

  /** Continues without the pictures of earlier turns. False when there are none. */
  dropPictures(): boolean {
    if (!this.#turns.flat().some(hasPictures)) return false;
    this.#turns = this.#turns.map((turn) => turn.map(withoutPictures));
    this.#sizes = this.#turns.map(sizeOf);
    return true;
  }

  /** Corrects later estimates with what the service counted. */
  learn(counted: TokenCounts): void {
    const real = counted.input + counted.cacheRead + counted.cacheWrite;
    // The reply is part of `current` by now, and of what the next request will hold.
    const estimated = this.#estimate();
    if (real > 0 && estimated > 0)
      this.#ratio = Math.min(3, Math.max(0.5, (real + counted.output) / estimated));
  }

  request(options: { readonly allowTools: boolean }): MessagesRequest {
    const { model, assistant, tools, limits, thinkingDisplay } = this.#start;
    return composeRequest({
      model,
      maxTokens: limits.maxReplyTokens,
      systemPrompt: assistant.systemPrompt,
      tools,
      serverTools: this.#serverTools,
      allowTools: options.allowTools,
      earlier: this.#turns.slice(this.#leftOut - this.#unread).flat(),
      current: this.#current,
      reminder: this.#reminder,
      thinkingDisplay,
    });
  }

  #leaveOut(count: number): boolean {
    if (count <= this.#leftOut) return false;
    this.#leftOut = count;
    // The service ties thinking to everything before it, which has just changed.
    this.#current = this.#current.map(withoutThinking).filter((message) => message.content.length > 0);
    return true;
  }

  #neededCut(): number {
    const { tokens, pictureBytes } = sum(this.#current.map(estimateMessage));
    const most = roomFor(this.#start.limits);
    const room = {
      tokens: Math.max(0, most.tokens / this.#ratio - this.#fixedTokens - tokens),
      pictureBytes: Math.max(0, most.pictureBytes - pictureBytes),
    };
    return turnsToLeaveOut(this.#sizes, room, this.#unread);
  }

  #estimate(): number {
    const earlier = this.#sizes.slice(this.#leftOut - this.#unread);
    return this.#fixedTokens + sum([...earlier, ...this.#current.map(estimateMessage)]).tokens;
  }
}

function roomFor({ contextTokens, maxReplyTokens, pictureBytes }: RequestLimits): Size {
  return { tokens: (contextTokens - maxReplyTokens) * safety, pictureBytes };
}

/** Attached files, and calls of tools that return text from strangers or are no longer known. */
function isOutside(block: ContentBlock, tools: readonly Tool[]): boolean {
  if (!block.type.endsWith('tool_use')) return block.type === 'document';
  const tool = tools.find(({ name }) => name === block['name']);
  return tool === undefined || tool.reads === 'outside';
}

function sizeOf(turn: HistoryTurn): Size {
  return sum(turn.map(estimateMessage));
}

/** Counts a prompt and its answer as one message each, no matter how many tools the answer used. */
function reminderFor(
  { reminder }: Assistant,
  turns: readonly HistoryTurn[],
  unread: number,
): string | undefined {
  if (reminder === undefined) return undefined;
  const isAnswer = ({ role, content }: Message): boolean =>
    role === 'assistant' && messageText(content) !== '';
  const messages = turns.reduce((sum, turn) => sum + (turn.some(isAnswer) ? 2 : 1), unread * 2 + 1);
  return messages >= reminder.fromMessage ? reminder.text : undefined;
}
