// Requests and responses of the session endpoints.
import {
  Envelope,
  ErrorBody,
  FoundInSession,
  ImageAttachment,
  PastPage,
  PendingPermission,
  Prompt,
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
import { Message } from '../kitchen/schemas.ts';
import { answer, answers, nothing } from '../openapi/answers.ts';
import { bodyOf, ChatHeaders, longestId, mustBeString, pageLimit, person } from '../openapi/fields.ts';

const tags = ['sessions'];
/** The most images in one prompt. */
const mostImages = 5;
const Id = z.object({ id: z.string().max(longestId) });
const querystring = z.object({ person });

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
const images = z
  .array(z.strictObject(ImageAttachment.shape))
  .max(mostImages, `At most ${mostImages} images go with one message.`)
  .optional()
  .describe('Up to five images, like `image`.');
/** What a prompt is on the inside. Another server has checked it. */
const forwarded = z
  .strictObject({ prompt: Prompt, door: z.string().max(200), canAsk: z.literal(false).exactOptional() })
  .optional()
  .describe('Only for other servers of the same cluster.');
const Queue = z.object({ prompts: z.array(WaitingPrompt) });

export const list = {
  tags,
  summary: "The person's conversations, newest first, or those that match a search",
  querystring: z.object({
    person,
    limit: pageLimit(200, 50),
    cursor: z.string().max(1_000).optional().describe('`nextCursor` of the previous page.'),
    q: z.string().max(1_000).optional().describe('Text to search for. The best matches come first.'),
  }),
  response: answers(
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
  response: { ...answers(z.unknown(), ErrorBody), 201: answer('Started.', 'application/json', Session) },
};

export const get = {
  tags,
  summary: 'A conversation: history, cost and current state',
  params: Id,
  querystring,
  response: answers(SessionDetails, ErrorBody),
};

export const state = {
  tags,
  summary: 'What happens in a conversation now: what runs, what waits, and where its events are',
  params: Id,
  querystring,
  response: answers(
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
  response: nothing,
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
  }),
  response: answers(PastPage, ErrorBody),
};

export const find = {
  tags,
  summary: 'Where a conversation says something, oldest first',
  params: Id,
  querystring: z.object({
    person,
    q: z.string().min(1, '`q` is empty.').max(500).describe('Text to look for, in any case.'),
    limit: pageLimit(500, 200),
  }),
  response: answers(FoundInSession, ErrorBody),
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
  response: answers(Session, ErrorBody),
};

export const remove = {
  tags,
  summary: 'Delete a conversation and its history',
  params: Id,
  querystring,
  response: nothing,
};

const Attachment = z.object({
  id: z.string().max(longestId),
  turnId: z.string().max(longestId),
  index: z.coerce.number().int().min(0).max(100),
});

export const file = {
  tags,
  summary: 'A file that was sent with a prompt, as a download',
  params: Attachment,
  querystring,
  response: {
    ...answers(z.unknown(), ErrorBody),
    200: answer('The file.', 'application/octet-stream', z.unknown()),
  },
};

export const image = {
  tags,
  summary: 'An image that was sent with a prompt',
  params: Attachment,
  querystring,
  response: { ...answers(z.unknown(), ErrorBody), 200: answer('The image.', 'image/*', z.unknown()) },
};

export const prompt = {
  tags,
  summary: 'Send a prompt; the answer arrives as events',
  params: Id,
  headers: ChatHeaders,
  body: z.strictObject(
    {
      ...Message,
      images,
      forwarded,
      steer: z
        .boolean('`steer` must be true or false.')
        .optional()
        .describe('Adds to the running turn if the engine takes it; otherwise the prompt waits its turn.'),
    },
    { error: bodyOf('message, image, images, files, steer, person') },
  ),
  response: {
    ...answers(z.unknown(), ErrorBody),
    202: answer(
      'Admitted: it will be answered.',
      'application/json',
      z.object({
        turnId: TurnId.nullable().describe('Null when the prompt was added to the running turn.'),
        after: z.int().optional().describe('Follow the events after this number.'),
        steered: z.boolean().optional(),
        fresh: z.boolean().optional().describe('False if the key was admitted before.'),
        prompt: Prompt.optional().describe('What was admitted with the key before.'),
      }),
    ),
  },
};

export const branch = {
  tags,
  summary:
    'Replace an earlier prompt: starts a new conversation that begins like this one. This one stays as it is',
  params: Id,
  headers: ChatHeaders,
  body: z.strictObject(
    {
      ...Message,
      images,
      forwarded,
      before: TurnId.describe('The prompt to replace: the turn, or the `uuid` of a message in a transcript.'),
    },
    { error: bodyOf('before, message, image, images, files, person') },
  ),
  response: {
    ...answers(z.unknown(), ErrorBody),
    201: answer(
      'Admitted: it will be answered.',
      'application/json',
      z.object({
        session: Session,
        turnId: TurnId,
        after: z.int(),
        fresh: z.boolean().optional().describe('False if the key was admitted before.'),
        prompt: Prompt.optional().describe('What was admitted with the key before.'),
      }),
    ),
  },
};

export const fork = {
  tags,
  summary: 'Start a conversation of its own that begins like this one',
  params: Id,
  body: z.strictObject(
    {
      before: TurnId.optional().describe(
        'The first prompt that it leaves out: the turn, or the `uuid` of a message in a transcript. Absent: nothing.',
      ),
      person,
    },
    { error: bodyOf('before, person') },
  ),
  response: { ...answers(z.unknown(), ErrorBody), 201: answer('Started.', 'application/json', Session) },
};

export const versions = {
  tags,
  summary: 'Where a conversation was continued in several ways, because a prompt was edited or sent again',
  params: Id,
  querystring,
  response: answers(z.object({ versions: z.array(Versions) }), ErrorBody),
};

export const context = {
  tags,
  summary: 'What fills the context of a conversation, and what its tokens cost',
  params: Id,
  querystring,
  response: answers(SessionContext, ErrorBody),
};

export const events = {
  tags,
  summary: 'Follow the events of a conversation from a number on; the stream stays open',
  params: Id,
  querystring: z.object({
    person,
    after: z.coerce
      .number('must be the number of an event')
      .int()
      .min(0)
      .optional()
      .describe(
        'Sends what came after this number. The header Last-Event-ID wins; without either, sends only new events.',
      ),
  }),
  headers: z.object({
    'last-event-id': z
      .string()
      .regex(/^\d{1,15}$/, 'Last-Event-ID must be the id of an event of this conversation.')
      .optional(),
  }),
  response: {
    ...answers(z.unknown(), ErrorBody),
    200: answer('Server-sent events: `id` is the number, `data` the event.', 'text/event-stream', Envelope),
  },
};

export const queue = {
  tags,
  summary: 'The waiting prompts',
  params: Id,
  querystring,
  response: answers(Queue, ErrorBody),
};

export const reorder = {
  tags,
  summary: 'Reorder the waiting prompts; those not listed come last',
  params: Id,
  body: z.strictObject({ order: z.array(TurnId).max(1_000), person }, { error: bodyOf('order, person') }),
  response: answers(Queue, ErrorBody),
};

export const withdraw = {
  tags,
  summary: 'Withdraw a waiting prompt',
  params: z.object({ id: z.string().max(longestId), turnId: z.string().max(longestId) }),
  querystring,
  response: nothing,
};

export const interrupt = {
  tags,
  summary: 'Stop the running turn',
  params: Id,
  response: answers(
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
      message: z.string(mustBeString('message')).max(10_000).optional().describe('Why not, for the model.'),
      updatedInput: z.unknown().optional().describe('What the tool gets instead of its input.'),
      person,
    },
    { error: bodyOf('behavior, scope, message, updatedInput, person') },
  ),
  response: answers(z.object({ settled: z.literal(true) }), ErrorBody),
};
