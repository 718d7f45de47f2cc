// Reading a Messages request: what the person said last, which tools are offered, which session it is of.
import type { ContentBlock, MessagesBody, ToolResultBlock, WireMessage } from './messages-wire.ts';
import type { RecordedRequest } from './request-record.ts';

/** What the person typed last, without what a client wraps around it for the model. */
export function lastUserText(body: MessagesBody): string {
  for (const message of body.messages.toReversed()) {
    if (message.role !== 'user') continue;
    const text = typedText(message);
    if (text !== '') return text;
  }
  return '';
}

/** The text of a user message as typed: reminders that clients add in tags of their own are left out. */
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

/** The results at the end of the conversation, which the model is now to answer. */
export function lastToolResults(body: MessagesBody): readonly ToolResultBlock[] {
  const last = body.messages.findLast((message) => message.role !== 'system');
  if (last?.role !== 'user') return [];
  return blocksOf(last).filter((block) => block.type === 'tool_result');
}

/** The session that a `claude` process belongs to, or the user id that another client gave. */
export function sessionOf(request: RecordedRequest): string | undefined {
  const header = request.headers['x-claude-code-session-id'];
  if (typeof header === 'string') return header;
  return request.body.metadata?.user_id ?? undefined;
}

/** True for what a subagent of `claude` asks; it carries the session of the one who sent it out. */
export function isSubagent(request: RecordedRequest): boolean {
  return systemText(request.body).includes('cc_is_subagent=true');
}

function withoutReminders(text: string): string {
  // `claude` says this beside the result of ToolSearch.
  if (text === 'Tool loaded.') return '';
  return text
    .replaceAll(/<((?:[a-z]+-)?reminder|local-command-[a-z]+|command-[a-z]+)>[\s\S]*?<\/\1>/g, '')
    .trim();
}
