// Reading what a client asked, for matching requests to scripts and for assertions.
import { blocksOf, type MessagesBody, systemText, type ToolResultBlock } from '@parley/demo/services';
import type { RecordedRequest } from './request-record.ts';

/** The results at the end of the conversation, which the model should answer now. */
export function lastToolResults(body: MessagesBody): readonly ToolResultBlock[] {
  const last = body.messages.findLast((message) => message.role !== 'system');
  if (last?.role !== 'user') return [];
  return blocksOf(last).filter((block) => block.type === 'tool_result');
}

/** The session that a `claude` process belongs to, or the user id that another client sent. */
export function sessionOf(request: RecordedRequest): string | undefined {
  const header = request.headers['x-claude-code-session-id'];
  if (typeof header === 'string') return header;
  return request.body.metadata?.user_id ?? undefined;
}

/** True for the requests of a subagent of `claude`, which carry the session of their parent. */
export function isSubagent(request: RecordedRequest): boolean {
  return systemText(request.body).includes('cc_is_subagent=true');
}
