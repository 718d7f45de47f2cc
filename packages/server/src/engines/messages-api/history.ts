// Turns stored messages into a conversation that the API accepts, no matter how their turns ended, and finds where each turn
// starts. Pure.
import type { ContentBlock, Message } from '@parley/protocol';
import type { SpokenTurn } from '../../domain/store.ts';
import { pairServerCalls } from './server-tools.ts';
import { interruptedResult } from './tool-result.ts';

/** A prompt and everything that followed it. */
export type HistoryTurn = readonly Message[];

/**
 * The earlier turns, ready to be sent: every tool call is followed by its result, nothing is empty, and thinking is left
 * out. (The service ties thinking to the exact text before it, which may be trimmed by now.)
 */
export function toTurns(messages: readonly Message[]): readonly HistoryTurn[] {
  const turns: Message[][] = [];
  const isPaired = pairServerCalls(messages.flatMap(({ content }) => content));
  for (const message of pairToolCalls(messages.flatMap((message) => cleaned(message, isPaired)))) {
    if (isPrompt(message)) turns.push([message]);
    // Messages before the first prompt answer nothing.
    else turns.at(-1)?.push(message);
  }
  return turns;
}

export interface UsableHistory {
  readonly earlier: readonly Message[];
  /** What unfinished attempts at the prompt have already done. It follows the prompt. */
  readonly done: readonly Message[];
}

/**
 * What the model should still know of earlier turns. A prompt that failed before it was answered is left out, because
 * the model must not act on it later. One that a person stopped stays, with a note. A prompt that is sent again
 * replaces its unfinished attempts, but their tool calls stay, so that they don't run twice.
 */
export function usableHistory(turns: readonly SpokenTurn[], prompt: Message): UsableHistory {
  const earlier: Message[] = [];
  let done: readonly Message[] = [];
  turns.forEach(({ messages, end }, at) => {
    const [asked, ...rest] = messages;
    if (asked === undefined) return;
    const said = [...done, ...rest];
    done = [];
    if (end !== 'completed' && isSame(asked, turns[at + 1]?.messages[0] ?? prompt)) {
      done = withoutBrokenOffAnswer(said);
    } else if (said.some(({ role }) => role === 'assistant') || end === 'completed') {
      earlier.push(asked, ...said);
    } else if (end === 'stopped') earlier.push(asked, stoppedNote);
  });
  return { earlier, done };
}

const stoppedNote: Message = {
  role: 'assistant',
  content: [{ type: 'text', text: '[The person stopped this before I answered. I do not act on it.]' }],
};

/** Drops the answer that broke off. What is left ends with a tool call or its result, or is empty. */
function withoutBrokenOffAnswer(messages: readonly Message[]): readonly Message[] {
  const last = messages.findLastIndex(({ content }) =>
    content.some((block) => block.type === 'tool_use' || isToolResult(block)),
  );
  return messages.slice(0, last + 1);
}

function isSame(one: Message, other: Message): boolean {
  return one.role === other.role && JSON.stringify(one.content) === JSON.stringify(other.content);
}

/** Makes the roles alternate: a prompt that was never answered shares a message with the next one. */
export function alternateRoles(messages: readonly Message[]): readonly Message[] {
  const merged: Message[] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    if (last?.role !== message.role) merged.push(message);
    else merged[merged.length - 1] = { role: last.role, content: [...last.content, ...message.content] };
  }
  return merged;
}

/** The API refuses text without a visible character, although its models write some now and then. */
export function withoutBlanks(message: Message): Message {
  return { ...message, content: message.content.filter((block) => !isBlank(block)) };
}

export function withoutThinking(message: Message): Message {
  if (!message.content.some(isThinking)) return message;
  return { ...message, content: message.content.filter((block) => !isThinking(block)) };
}

/** The service refuses some pictures and files that look fine to us, and would refuse every later turn with them too. */
export function withoutPictures(message: Message): Message {
  return message.content.some(hasPicture) ? { ...message, content: message.content.map(asNote) } : message;
}

export function hasPictures({ content }: Message): boolean {
  return content.some(hasPicture);
}

export function idOf(block: ContentBlock): string {
  return typeof block['id'] === 'string' ? block['id'] : '';
}

function cleaned(message: Message, isPaired: (block: ContentBlock) => boolean): readonly Message[] {
  const content = message.content.filter((block) => !isThinking(block) && !isBlank(block) && isPaired(block));
  return content.length === 0 ? [] : [{ role: message.role, content }];
}

function pairToolCalls(messages: readonly Message[]): readonly Message[] {
  const paired: Message[] = [];
  let open: readonly string[] = [];
  for (const message of messages) {
    const results = new Map(
      message.content.filter(isToolResult).map((block) => [block['tool_use_id'], block]),
    );
    if (open.length > 0) {
      paired.push({ role: 'user', content: open.map((id) => results.get(id) ?? interruptedResult(id)) });
    }
    const rest = message.content.filter((block) => !isToolResult(block));
    open = message.role === 'assistant' ? rest.filter((block) => block.type === 'tool_use').map(idOf) : [];
    if (rest.length > 0) paired.push({ role: message.role, content: rest });
  }
  if (open.length > 0) paired.push({ role: 'user', content: open.map(interruptedResult) });
  return paired;
}

function isPrompt(message: Message): boolean {
  return message.role === 'user' && !message.content.some(isToolResult);
}

function isToolResult(block: ContentBlock): boolean {
  return block.type === 'tool_result';
}

function isThinking(block: ContentBlock): boolean {
  return block.type === 'thinking' || block.type === 'redacted_thinking';
}

function isBlank(block: ContentBlock): boolean {
  return block.type === 'text' && (typeof block['text'] !== 'string' || block['text'].trim() === '');
}

function hasPicture(block: ContentBlock): boolean {
  return block.type === 'image' || block.type === 'document' || innerOf(block).some(hasPicture);
}

/** Leaves a note for the model, because what was said about the picture or file stays. */
function asNote(block: ContentBlock): ContentBlock {
  if (block.type === 'document') return { type: 'text', text: '[A file that could not be read.]' };
  if (block.type === 'image') return { type: 'text', text: '[A picture that could not be read.]' };
  const inner = innerOf(block);
  return inner.some(hasPicture) ? { ...block, content: inner.map(asNote) } : block;
}

/** The results of tools may hold pictures too. */
function innerOf(block: ContentBlock): readonly ContentBlock[] {
  const inner = block['content'];
  return block.type === 'tool_result' && Array.isArray(inner) ? (inner as readonly ContentBlock[]) : [];
}
