// Refuses what the real service refuses, so that a client that separates a tool call from its result, or forgets its
// key, fails here and not in production.
import type { IncomingHttpHeaders } from 'node:http';
import type { MessagesBody, WireMessage } from './messages-wire.ts';
import { type ErrorReply, httpError } from './reply.ts';
import { blocksOf } from './request-reading.ts';

const maxCacheMarks = 4;

export function refusal(headers: IncomingHttpHeaders): ErrorReply | undefined {
  const key = headers['x-api-key'] ?? headers.authorization;
  if (key === undefined || key === '')
    return httpError(401, 'authentication_error', 'x-api-key header is required');
  if (headers['anthropic-version'] === undefined) return invalid('anthropic-version: header is required');
  return undefined;
}

export function messagesRefusal(body: MessagesBody): ErrorReply | undefined {
  const problem = problemOf(body);
  return problem === undefined ? undefined : invalid(problem);
}

export function hasMessages(body: unknown): body is MessagesBody {
  return typeof body === 'object' && body !== null && 'messages' in body && Array.isArray(body.messages);
}

function problemOf(body: MessagesBody): string | undefined {
  if (!hasMessages(body)) return 'messages: Field required';
  if (typeof body.model !== 'string' || body.model === '') return 'model: Field required';
  if (!Number.isInteger(body.max_tokens) || body.max_tokens < 1) return 'max_tokens: Field required';
  if (body.messages.length === 0) return 'messages: at least one message is required';
  if (body.messages.some(isMalformed)) return 'messages: every message needs a role and content';
  if (body.messages[0]?.role !== 'user') return 'messages: first message must use the "user" role';
  return (
    emptyText(body.messages) ??
    separatedToolCall(body.messages) ??
    separatedServerCall(body.messages) ??
    tooManyCacheMarks(body) ??
    repeatedTool(body) ??
    unsupportedSchema(body)
  );
}

function isMalformed({ role, content }: WireMessage): boolean {
  return (
    !['user', 'assistant', 'system'].includes(role) ||
    (typeof content !== 'string' && !Array.isArray(content))
  );
}

function emptyText(messages: readonly WireMessage[]): string | undefined {
  const at = messages.findIndex((message, index) => {
    const blocks = blocksOf(message);
    const mayBeEmpty =
      (message.role === 'assistant' && index === messages.length - 1) || changesEffort(message);
    return (
      (blocks.length === 0 && !mayBeEmpty) ||
      blocks.some((block) => block.type === 'text' && block.text === '')
    );
  });
  return at < 0 ? undefined : `messages.${at}: text content blocks must be non-empty`;
}

/** A system message may consist of settings alone. */
function changesEffort({ role, output_config: config }: WireMessage): boolean {
  return role === 'system' && typeof config?.effort === 'string';
}

/** The next user message must answer every call, and nothing else. */
function separatedToolCall(all: readonly WireMessage[]): string | undefined {
  const messages = all.filter((message) => message.role !== 'system');
  const seen = new Set<string>();
  for (const [at, message] of messages.entries()) {
    const calls = message.role === 'assistant' ? callIds(message) : [];
    for (const id of calls) {
      if (seen.has(id)) return `messages.${at}: \`tool_use\` ids must be unique: ${id}`;
      seen.add(id);
    }
    const next = messages[at + 1];
    const answered = new Set(next === undefined ? calls : resultIds(next));
    const open = calls.filter((id) => !answered.has(id));
    if (open.length > 0)
      return `messages.${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(', ')}`;
    const before = messages[at - 1];
    const asked = new Set(before?.role === 'assistant' ? callIds(before) : []);
    const stray = resultIds(message).filter((id) => !asked.has(id));
    if (stray.length > 0)
      return `messages.${at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${stray.join(', ')}`;
  }
  return undefined;
}

/** If the service runs a tool itself, its reply has the call and the result, and clients must send both back. */
function separatedServerCall(messages: readonly WireMessage[]): string | undefined {
  const blocks = messages.flatMap(blocksOf) as readonly Readonly<Record<string, string>>[];
  const called = blocks.filter(({ type }) => type === 'server_tool_use').map(({ id }) => id);
  const answered = blocks
    .filter(({ type }) => type === 'web_search_tool_result')
    .map((it) => it['tool_use_id']);
  const stray = answered.find((id) => !called.includes(id));
  if (stray !== undefined) return `messages: \`web_search_tool_result\` without its call: ${stray}`;
  const open = called.find((id) => !answered.includes(id));
  const isPaused = messages.at(-1)?.role === 'assistant';
  return open === undefined || isPaused
    ? undefined
    : `messages: \`server_tool_use\` was found without its result: ${open}`;
}

function tooManyCacheMarks(body: MessagesBody): string | undefined {
  const system = typeof body.system === 'string' ? [] : (body.system ?? []);
  const marked = [...(body.tools ?? []), ...system, ...body.messages.flatMap(blocksOf)].filter(
    (block) => 'cache_control' in block && block.cache_control !== null && block.cache_control !== undefined,
  );
  if (marked.length <= maxCacheMarks) return undefined;
  return `A maximum of ${maxCacheMarks} blocks with cache_control may be provided. Found ${marked.length}.`;
}

function repeatedTool(body: MessagesBody): string | undefined {
  const names = (body.tools ?? []).map((tool) => tool.name);
  const repeated = names.find((name, at) => names.indexOf(name) !== at);
  return repeated === undefined ? undefined : `tools: Tool names must be unique: ${repeated}`;
}

/** The service refuses the whole request if it can't support one of the schemas. */
function unsupportedSchema({ tools = [] }: MessagesBody): string | undefined {
  for (const [at, { input_schema: schema = {} }] of tools.entries()) {
    if ('oneOf' in schema || 'allOf' in schema || 'anyOf' in schema)
      return `tools.${at}.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level`;
    if (!Object.keys(schema.properties ?? {}).every((name) => fieldName.test(name)))
      return `tools.${at}.custom.input_schema.properties: Property keys should match pattern '${fieldName.source}'`;
  }
  return undefined;
}

const fieldName = /^[a-zA-Z0-9_.-]{1,64}$/;

function callIds(message: WireMessage): readonly string[] {
  return blocksOf(message).flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
}

function resultIds(message: WireMessage): readonly string[] {
  return blocksOf(message).flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : []));
}

function invalid(message: string): ErrorReply {
  return httpError(400, 'invalid_request_error', message);
}
