// What the chat endpoints take and give, with the sentences that a client gets when it sends something else.
import { ChatEvent, ErrorBody, ImageAttachment } from '@parley/protocol';
import { z } from 'zod';
import { answer, answers } from '../openapi/answers.ts';
import { bodyOf, ChatHeaders, longestId, mustBeString, person } from '../openapi/fields.ts';

const tags = ['chat'];

export const Message = {
  message: z.string(mustBeString('message')).optional().describe('May be left out beside an image.'),
  image: z
    .strictObject(ImageAttachment.shape, '`image` must be an object with data and media_type.')
    .nullish()
    .describe('A JPEG, PNG, GIF or WebP of at most 3.75 MB, as base64 without the prefix of a data URL.'),
  person,
};

const ChatBody = z.strictObject(
  {
    ...Message,
    conversation_id: z
      .string(mustBeString('conversation_id'))
      .max(longestId, '`conversation_id` is too long.')
      .nullish()
      .describe("Goes on in this conversation; an unknown one, or another person's, starts a new one."),
  },
  { error: bodyOf('message, conversation_id, image, person') },
);

const stream = answer(
  'Server-sent events, named as `event` says, with `data` as JSON. The last one is `done` or `error`.',
  'text/event-stream',
  ChatEvent,
);

const Conversation = z.object({ conversation_id: z.string().max(longestId) });

export const chat = {
  tags,
  summary: 'Send a message and follow the answer as server-sent events',
  description: 'The header X-Conversation-Id of the answer names the conversation.',
  headers: ChatHeaders,
  body: ChatBody,
  response: { ...answers(z.unknown(), ErrorBody), 200: stream },
};

export const chatEvents = {
  tags,
  summary: 'Go on with the answer after a lost connection',
  description:
    'Gives what came after `Last-Event-ID`, up to the end of that turn; without that header, all of the turn that runs.',
  params: Conversation,
  querystring: z.object({ person }),
  headers: z.object({
    'last-event-id': z
      .string()
      .regex(/^\d{1,15}$/, 'Last-Event-ID must be the id of an event of this conversation.')
      .optional(),
  }),
  response: {
    ...answers(z.unknown(), ErrorBody),
    200: stream,
    204: z.null().describe('Nothing more to come.'),
  },
};

export const stop = {
  tags,
  summary: 'Stop the turn that runs',
  params: Conversation,
  response: answers(z.object({ stopped: z.boolean().describe('Whether a turn was running.') }), ErrorBody),
};
