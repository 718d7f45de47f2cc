// Requests that a client makes on its own account beside the conversation: `claude` probes its quota and
// has titles and summaries written by a small model. They must not take the replies that a test scripted.
import type { MessagesBody } from './messages-wire.ts';
import { type MessageReply, reply } from './reply.ts';
import { lastUserText, systemText } from './request-reading.ts';

export function isAuxiliary(body: MessagesBody): boolean {
  if (body.max_tokens === 1) return true;
  if ((body.tools ?? []).length > 0) return false;
  return (
    body.output_config?.format?.type === 'json_schema' || /\btitle\b/i.test(systemText(body).slice(0, 4_000))
  );
}

export function answerAuxiliary(body: MessagesBody): MessageReply {
  if (body.max_tokens === 1) return reply('ok');
  const title = lastUserText(body).split(/\s+/).slice(0, 6).join(' ');
  if (body.output_config?.format?.type === 'json_schema') return reply(JSON.stringify({ title }));
  return reply(title);
}
