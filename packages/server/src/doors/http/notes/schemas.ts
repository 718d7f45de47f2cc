// Requests and responses of the notes endpoints, with the error messages for bad input.
import { ChatFailure, ChatResponse, ClearResponse, HistoryResponse, StreamLine } from '@parley/protocol';
import { z } from 'zod';
import { bodyOf, files, longestId, mustBeString, PromptHeaders, person } from '../openapi/fields.ts';
import { response, responses } from '../openapi/responses.ts';

const tags = ['notes'];

const tooLong = '`session_id` is too long.';

const sessionId = z
  .string({
    error: ({ input }) => (input === undefined ? '`session_id` is missing.' : mustBeString('session_id')),
  })
  .max(longestId, tooLong);

const ChatBody = z.object(
  {
    message: z
      .string({
        error: ({ input }) => (input === undefined ? '`message` is missing.' : mustBeString('message')),
      })
      .refine((message) => message.trim() !== '', '`message` is empty.'),
    session_id: z
      .string(mustBeString('session_id'))
      .max(longestId, tooLong)
      .nullish()
      .describe("Continues this session. An unknown id, or another person's, starts a new session."),
    files,
    person,
  },
  { error: bodyOf('message, session_id, person') },
);
export type ChatBody = z.infer<typeof ChatBody>;

export const chat = {
  tags,
  summary: 'Send a message and wait for the whole answer',
  headers: PromptHeaders,
  body: ChatBody,
  response: responses(ChatResponse, ChatFailure),
};

export const chatStream = {
  ...chat,
  summary: 'Send a message and stream the answer as lines of JSON',
  response: {
    ...responses(ChatResponse, ChatFailure),
    200: response(
      'One JSON object per line. `session` comes last, even after an `error`. Ignore types that you don’t know.',
      'application/x-ndjson',
      StreamLine,
    ),
  },
};

export const clear = {
  tags,
  summary: 'Delete a session and its history',
  body: z.object({ session_id: sessionId, person }, { error: bodyOf('session_id, person') }),
  response: responses(ClearResponse, ClearResponse),
};

export const history = {
  tags,
  summary: 'The history of a session',
  // Loose, because browsers and proxies add their own query fields.
  querystring: z.object({ session_id: sessionId, person }),
  response: responses(HistoryResponse, HistoryResponse),
};
