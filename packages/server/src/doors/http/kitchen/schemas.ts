// Requests and responses of the chat endpoints, with the error messages for bad input.
import { ChatEvent, ErrorBody, ImageAttachment } from '@parley/protocol';
import { z } from 'zod';
import { bodyOf, files, longestId, mustBeString, PromptHeaders, person } from '../openapi/fields.ts';
import { response, responses } from '../openapi/responses.ts';

const tags = ['chat'];

export const Message = {
  message: z.string(mustBeString('message')).optional().describe('Optional if there is an image or a file.'),
  image: z
    .object(ImageAttachment.shape, '`image` must be an object with data and media_type.')
    .nullish()
    .describe('A JPEG, PNG, GIF or WebP of at most 3.75 MiB, as base64 without a data URL prefix.'),
  files,
  person,
};

const ChatBody = z.object(
  {
    ...Message,
    conversation_id: z
      .string(mustBeString('conversation_id'))
      .max(longestId, '`conversation_id` is too long.')
      .nullish()
      .describe("Continues this conversation. An unknown id, or another person's, starts a new one."),
  },
  { error: bodyOf('message, conversation_id, image, files, person') },
);

const stream = response(
  'Named server-sent events with `data` as JSON. The last one is `done` or `error`.',
  'text/event-stream',
  ChatEvent,
);

const Conversation = z.object({ conversation_id: z.string().max(longestId) });

export const chat = {
  tags,
  summary: 'Send a message and stream the answer as server-sent events',
  description: 'The conversation id is in the response header X-Conversation-Id, and in `done`.',
  headers: PromptHeaders,
  body: ChatBody,
  response: { ...responses(z.unknown(), ErrorBody), 200: stream },
};

export const chatEvents = {
  tags,
  summary: 'Resume an answer after a lost connection',
  description:
    'Sends everything after `Last-Event-ID` up to the end of that turn. Without that header: the whole running turn.',
  params: Conversation,
  querystring: z.object({ person }),
  headers: z.object({
    'last-event-id': z
      .string()
      .regex(/^\d{1,15}$/, 'Last-Event-ID must be an event id from this conversation.')
      .optional(),
  }),
  response: {
    ...responses(z.unknown(), ErrorBody),
    200: stream,
    204: z.null().describe('Nothing left to send.'),
  },
};

export const stop = {
  tags,
  summary: 'Stop the running turn',
  params: Conversation,
  response: responses(z.object({ stopped: z.boolean().describe('Whether a turn was running.') }), ErrorBody),
};
