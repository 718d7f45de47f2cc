// Requests that the `claude` program makes for its own purposes: it probes its quota, asks for a small task without
// tools (a session title, an extract of a fetched page), or has the conversation summarized to free up context. They
// must not use up the replies that a test scripted for the conversation.
import type { IncomingHttpHeaders } from 'node:http';
import type { MessagesBody, WireTool } from './messages-wire.ts';
import { type MessageReply, reply } from './reply.ts';
import { lastUserText, systemText, typedText } from './request-reading.ts';

type Chore = 'probe' | 'structured' | 'page' | 'web search' | 'naming' | 'compaction';

export function isAuxiliary(headers: IncomingHttpHeaders, body: MessagesBody): boolean {
  return choreOf(headers, body) !== undefined;
}

export function answerAuxiliary(headers: IncomingHttpHeaders, body: MessagesBody): MessageReply {
  const chore = choreOf(headers, body);
  switch (chore) {
    case 'structured':
      return reply(JSON.stringify(structuredAnswer(body)));
    case 'naming':
      return reply(sessionName(body));
    case 'page':
      return reply(pageExtract(body));
    case 'web search':
      return reply('Web search is not available here.');
    case 'compaction':
      return reply(`<analysis>The conversation so far.</analysis>\n<summary>\n${summary(body)}\n</summary>`);
    case 'probe':
    case undefined:
      return reply('ok');
    default:
      return chore satisfies never;
  }
}

function choreOf(headers: IncomingHttpHeaders, body: MessagesBody): Chore | undefined {
  if (headers['user-agent']?.startsWith('claude-cli/') !== true) return undefined;
  if (body.max_tokens === 1) return 'probe';
  const tools = body.tools ?? [];
  const asked = lastUserText(body);
  if (/Respond with plain text only[\s\S]*<summary> block/.test(asked)) return 'compaction';
  if (tools.length > 0) return tools.every(isServerSearch) ? 'web search' : undefined;
  if (body.output_config?.format?.type === 'json_schema') return 'structured';
  if (asked.startsWith('Web page content:')) return 'page';
  return /\b(title|naming|name) .*\b(session|conversation)\b/i.test(systemText(body).slice(0, 1_000))
    ? 'naming'
    : undefined;
}

function isServerSearch(tool: WireTool): boolean {
  return tool.type?.startsWith('web_search_') === true;
}

/** Fills every text field with a session title, because `claude` asks for nothing else in this form. */
function structuredAnswer(body: MessagesBody): Record<string, unknown> {
  const properties = Object.entries(
    body.output_config?.format?.schema?.properties ?? { title: { type: 'string' } },
  );
  return Object.fromEntries(
    properties.map(([name, schema]) => [
      name,
      schema.type === 'string' ? (schema.enum?.[0] ?? sessionName(body)) : null,
    ]),
  );
}

function sessionName(body: MessagesBody): string {
  const asked = lastUserText(body);
  const words = (/<session>\s*([\s\S]*?)\s*<\/session>/.exec(asked)?.[1] ?? asked).match(/\S+/g) ?? [];
  const name = words.slice(0, 5).join(' ');
  return name === '' ? 'Untitled' : name.charAt(0).toUpperCase() + name.slice(1);
}

function pageExtract(body: MessagesBody): string {
  const page = /---\s*([\s\S]*?)\s*---/.exec(lastUserText(body))?.[1] ?? '';
  return page === '' ? 'The page is empty.' : page.slice(0, 1_000);
}

function summary(body: MessagesBody): string {
  const said = body.messages
    .slice(0, -1)
    .flatMap((message) => (message.role === 'user' ? [typedText(message)] : []));
  const lines = said.filter((text) => text !== '').map((text) => `- ${text.slice(0, 200)}`);
  return `The person asked:\n${lines.slice(-20).join('\n')}`;
}
