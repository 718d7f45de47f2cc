// Requests and responses of the session endpoints, except for prompts, events and attachments.
import {
  ErrorBody,
  FoundInSession,
  PastPage,
  PendingPermission,
  QueuedPrompt,
  Session,
  SessionContext,
  SessionDetails,
  SessionLevel,
  TurnId,
  Versions,
  WaitingPrompt,
} from '@parley/protocol';
import { z } from 'zod';
import {
  bodyOf,
  longestId,
  markFilter,
  mustBeString,
  PromptHeaders,
  pageLimit,
  person,
} from '../openapi/fields.ts';
import { noContent, response, responses } from '../openapi/responses.ts';

export const tags = ['sessions'];
export const Id = z.object({ id: z.string().max(longestId) });
export const querystring = z.object({ person });

const Hit = z.object({ turnId: TurnId, role: z.enum(['user', 'assistant']), snippet: z.string() });
const model = z
  .string(mustBeString('model'))
  .max(longestId)
  .optional()
  .describe('The model that answers from now on; one that GET /api/assistants lists.');
const hits = z.array(Hit).optional();
const access = SessionLevel.describe('What you may do with it; `person` is its owner.');
const [messagesApiSession, claudeCodeSession] = Session.options;
const FoundSession = z.discriminatedUnion('engine', [
  messagesApiSession.extend({ hits, access }),
  claudeCodeSession.extend({ hits, access }),
]);
const Queue = z.object({ prompts: z.array(WaitingPrompt) });

export const list = {
  tags,
  summary: "The person's conversations, newest first, or those that match a search",
  querystring: z.object({
    person,
    limit: pageLimit(200, 50),
    cursor: z.string().max(1_000).optional().describe('`nextCursor` of the previous page.'),
    q: z.string().max(1_000).optional().describe('Text to search for. The best matches come first.'),
    ...markFilter,
  }),
  response: responses(
    z.object({
      sessions: z.array(FoundSession),
      nextCursor: z.string().optional().describe('Absent on the last page.'),
    }),
    ErrorBody,
  ),
};

export const create = {
  tags,
  summary: 'Start a conversation with an assistant',
  body: z.strictObject(
    {
      assistant: z.string(mustBeString('assistant')).max(longestId),
      title: z.string(mustBeString('title')).max(200, '`title` is too long.').optional(),
      model,
      person,
    },
    { error: bodyOf('assistant, title, model, person') },
  ),
  response: { ...responses(z.unknown(), ErrorBody), 201: response('Started.', 'application/json', Session) },
};

export const get = {
  tags,
  summary: 'A conversation: history, cost and current state',
  params: Id,
  querystring,
  response: responses(SessionDetails, ErrorBody),
};

export const state = {
  tags,
  summary: 'The current state of a conversation: what runs, what waits, and the numbers of its events',
  params: Id,
  querystring,
  response: responses(
    z.object({
      session: Session,
      running: TurnId.nullable(),
      queue: z.array(QueuedPrompt),
      ahead: z
        .int()
        .nullable()
        .describe('Turns of other conversations that come first, if it only waits for them.'),
      permissions: z.array(PendingPermission),
      lastSeq: z.int(),
      turnAfter: z.int().describe('The number before the first event of the newest turn.'),
      resumableAfter: z.int().describe('All events after this number are in memory.'),
    }),
    ErrorBody,
  ),
};

export const wake = {
  tags,
  summary: 'Prepare a conversation for its next prompt',
  params: Id,
  querystring,
  response: noContent,
};

export const past = {
  tags,
  summary: 'What happened in a conversation before its newest events, paged from the end',
  params: Id,
  querystring: z.object({
    person,
    before: z.string().max(1_000).optional().describe('`before` of the page that was read last.'),
    limit: pageLimit(1_000, 100),
    subagent: z
      .string()
      .max(200)
      .optional()
      .describe('Returns what the subagent of this tool call said instead. Claude Code sessions only.'),
    whole: z
      .stringbool()
      .default(false)
      .describe('Includes the newest turns, as they were stored, for clients that don’t follow the events.'),
  }),
  response: responses(PastPage, ErrorBody),
};

export const find = {
  tags,
  summary: 'Where a conversation says something, oldest first',
  params: Id,
  querystring: z.object({
    person,
    q: z.string().min(1, '`q` is empty.').max(500).describe('Text to look for. Case is ignored.'),
    limit: pageLimit(500, 200),
  }),
  response: responses(FoundInSession, ErrorBody),
};

export const change = {
  tags,
  summary:
    'Rename a conversation, let another model answer in it, or change how Claude Code asks for permissions',
  params: Id,
  body: z.strictObject(
    {
      title: z.string(mustBeString('title')).max(200, '`title` is too long.').optional(),
      model,
      permissionMode: z
        .string(mustBeString('permissionMode'))
        .min(1)
        .max(50)
        .optional()
        .describe('Claude Code sessions only.'),
      settings: z
        .record(z.string(), z.unknown())
        .optional()
        .describe('Only for other servers of the same cluster.'),
      person,
    },
    { error: bodyOf('title, model, permissionMode, person') },
  ),
  response: responses(Session, ErrorBody),
};

export const remove = {
  tags,
  summary: 'Delete a conversation and its history',
  params: Id,
  querystring,
  response: noContent,
};

export const fork = {
  tags,
  summary: 'Start a separate conversation that begins like this one',
  params: Id,
  headers: PromptHeaders,
  body: z.strictObject(
    {
      before: TurnId.optional().describe(
        'The first prompt that it leaves out: the turn, or the `uuid` of a message in a transcript. If absent, it leaves out only prompts that are still being answered or wait.',
      ),
      person,
    },
    { error: bodyOf('before, person') },
  ),
  response: { ...responses(z.unknown(), ErrorBody), 201: response('Started.', 'application/json', Session) },
};

export const versions = {
  tags,
  summary: 'Where a conversation was continued in several ways, because a prompt was edited or sent again',
  params: Id,
  querystring,
  response: responses(z.object({ versions: z.array(Versions) }), ErrorBody),
};

export const context = {
  tags,
  summary: 'What fills the context of a conversation, and what its tokens cost',
  params: Id,
  querystring,
  response: responses(SessionContext, ErrorBody),
};

export const queue = {
  tags,
  summary: 'The waiting prompts',
  params: Id,
  querystring,
  response: responses(Queue, ErrorBody),
};

export const reorder = {
  tags,
  summary: 'Reorder the waiting prompts; those not listed come last',
  params: Id,
  body: z.strictObject({ order: z.array(TurnId).max(1_000), person }, { error: bodyOf('order, person') }),
  response: responses(Queue, ErrorBody),
};

export const withdraw = {
  tags,
  summary: 'Withdraw a waiting prompt',
  params: z.object({ id: z.string().max(longestId), turnId: z.string().max(longestId) }),
  querystring,
  response: noContent,
};

export const interrupt = {
  tags,
  summary: 'Stop the running turn',
  params: Id,
  response: responses(
    z.object({ interrupted: z.boolean().describe('Whether a turn was running.') }),
    ErrorBody,
  ),
};

export const decide = {
  tags,
  summary: 'Decide on a permission that a tool waits for',
  params: z.object({ id: z.string().max(longestId), permissionId: z.string().max(longestId) }),
  body: z.strictObject(
    {
      behavior: z.enum(['allow', 'deny'], '`behavior` must be allow or deny.'),
      scope: z
        .enum(['once', 'session', 'suggested'], '`scope` must be once, session or suggested.')
        .default('once')
        .describe(
          '`session` also allows later calls of the same tool in this session, `suggested` only those that match the rules the program suggests.',
        ),
      message: z.string(mustBeString('message')).max(10_000).optional().describe('Tells the model why.'),
      updatedInput: z.unknown().optional().describe('What the tool gets instead of its input.'),
      person,
    },
    { error: bodyOf('behavior, scope, message, updatedInput, person') },
  ),
  response: responses(z.object({ settled: z.literal(true) }), ErrorBody),
};
