// Reading a Messages request: what the person said last, the system prompt, tool results.
import type { ContentBlock, MessagesBody, ToolResultBlock, WireMessage } from './messages-wire.ts';

/** What the person typed last, without the text that clients add for the model. */
export function lastUserText(body: MessagesBody): string {
  for (const message of body.messages.toReversed()) {
    if (message.role !== 'user') continue;
    const text = typedText(message);
    if (text !== '') return text;
  }
  return '';
}

/** The text of a user message as typed, without the tagged reminders that clients add. */
export function typedText(message: WireMessage): string {
  return blocksOf(message)
    .flatMap((block) => (block.type === 'text' ? [withoutReminders(block.text)] : []))
    .filter((text) => text !== '')
    .join('\n');
}

export function blocksOf(message: WireMessage): readonly ContentBlock[] {
  return typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content;
}

export function systemText(body: MessagesBody): string {
  if (body.system === undefined) return '';
  return typeof body.system === 'string' ? body.system : body.system.map((block) => block.text).join('\n');
}

export function resultText(result: ToolResultBlock): string {
  if (result.content === undefined) return '';
  if (typeof result.content === 'string') return result.content;
  return result.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

function withoutReminders(text: string): string {
  // `claude` adds this to the result of ToolSearch.
  if (text === 'Tool loaded.') return '';
  return text
    .replaceAll(/<((?:[a-z]+-)?reminder|local-command-[a-z]+|command-[a-z]+)>[\s\S]*?<\/\1>/g, '')
    .trim();
}
