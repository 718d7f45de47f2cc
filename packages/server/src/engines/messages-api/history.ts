// Makes kept messages into a conversation that the API accepts, whatever happened to the turns they come from,
// and tells where its turns begin. Pure.
import type { ContentBlock, Message } from '@parley/protocol';
import { pairServerCalls } from './server-tools.ts';
import { interruptedResult } from './tool-result.ts';

/** A prompt and all that followed it. */
export type HistoryTurn = readonly Message[];

/**
 * The earlier turns, each fit to be sent: every tool call has its result right behind it, nothing is empty, and
 * thinking is left out. (Thinking is bound to the very words it followed, and those may be trimmed by now.)
 */
export function toTurns(messages: readonly Message[]): readonly HistoryTurn[] {
  const turns: Message[][] = [];
  const isPaired = pairServerCalls(messages.flatMap(({ content }) => content));
  for (const message of pairToolCalls(messages.flatMap((message) => cleaned(message, isPaired)))) {
    if (isPrompt(message)) turns.push([message]);
    // What comes before the first prompt has nothing that it could answer.
    else turns.at(-1)?.push(message);
  }
  return turns;
}

/** One message per side in turn: prompts that were never answered share a message with the next one. */
export function mergeSides(messages: readonly Message[]): readonly Message[] {
  const merged: Message[] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    if (last?.role !== message.role) merged.push(message);
    else merged[merged.length - 1] = { role: last.role, content: [...last.content, ...message.content] };
  }
  return merged;
}

/** The API refuses text without a visible character, though its models write it now and then. */
export function withoutBlanks(message: Message): Message {
  return { ...message, content: message.content.filter((block) => !isBlank(block)) };
}

export function withoutThinking(message: Message): Message {
  if (!message.content.some(isThinking)) return message;
  return { ...message, content: message.content.filter((block) => !isThinking(block)) };
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
