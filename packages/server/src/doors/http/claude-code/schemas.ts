// What the endpoints of Claude Code sessions take and give, with the sentences for what they do not take.
import {
  CodeMessagePage,
  CodeSessionList,
  CodeSessionPatch,
  CodeSessionView,
  ErrorBody,
  NewCodeSession,
  WorkFolderList,
} from '@parley/protocol';
import { z } from 'zod';
import { answer, answers } from '../openapi/answers.ts';
import { bodyOf, longestId, mustBeString, pageLimit, person } from '../openapi/fields.ts';

const tags = ['claude-code'];

/** Any text: what cannot be the id of a session is the id of none. */
const params = z.object({ id: z.string().max(longestId) });
const querystring = z.object({ person });

const flag = (meaning: string) =>
  z
    .enum(['true', 'false', '1', '0'], 'must be `true` or `false`')
    .optional()
    .transform((value) => value === 'true' || value === '1')
    .describe(meaning);

const cursor = z.string().max(1_000).optional();

export const list = {
  tags,
  summary: 'The Claude Code sessions, the newest first',
  querystring: z.object({
    limit: pageLimit(200, 50),
    cursor: cursor.describe('`next_cursor` of the page before.'),
    q: z.string().max(500).optional().describe('Words in titles and first prompts.'),
    full_text: flag('Looks for the words in the messages too.'),
    project: z.string().max(4_096).optional().describe('Only sessions with this working directory.'),
    archived: flag('Those that were put away, instead of the others.'),
    person,
  }),
  response: answers(CodeSessionList, ErrorBody),
};

export const create = {
  tags,
  summary: 'Begin a session, or go on with one; the program starts with the first message or viewer',
  body: z.object(
    {
      ...NewCodeSession.shape,
      workingDir: z
        .string({
          error: ({ input }) =>
            input === undefined ? '`workingDir` is missing.' : mustBeString('workingDir'),
        })
        .min(1, '`workingDir` is empty.')
        .max(4_096, '`workingDir` is too long.'),
      person,
    },
    { error: bodyOf('workingDir, title, resumeId, mode, config, person') },
  ),
  response: {
    ...answers(CodeSessionView, ErrorBody),
    201: answer('Begun.', 'application/json', CodeSessionView),
  },
};

export const get = {
  tags,
  summary: 'One session',
  params,
  querystring,
  response: answers(CodeSessionView, ErrorBody),
};

export const patch = {
  tags,
  summary: 'Rename a session, put it away or take it back',
  params,
  body: z.object({ ...CodeSessionPatch.shape, person }, { error: bodyOf('title, archived, person') }),
  response: answers(CodeSessionView, ErrorBody),
};

export const remove = {
  tags,
  summary: 'Delete a session with its transcript',
  params,
  querystring,
  response: { ...answers(z.null(), ErrorBody), 204: z.null().describe('Deleted.') },
};

export const fork = {
  tags,
  summary: 'Begin a new session with the same past',
  params,
  querystring,
  response: {
    ...answers(CodeSessionView, ErrorBody),
    201: answer('Begun.', 'application/json', CodeSessionView),
  },
};

export const messages = {
  tags,
  summary: 'The messages of a session exactly as the program wrote them, from the end backwards',
  params,
  querystring: z.object({
    before: cursor.describe('`before` of the page that was read last.'),
    limit: pageLimit(1_000, 50),
    subagent: z
      .string()
      .max(200)
      .optional()
      .describe('The messages of the subagent that this tool call began, instead.'),
    person,
  }),
  response: answers(CodeMessagePage, ErrorBody),
};

export const workFolders = {
  tags,
  summary: 'The folders in which a session may work: the roots, or those in a folder',
  querystring: z.object({ path: z.string().max(4_096).optional(), person }),
  response: answers(WorkFolderList, ErrorBody),
};

const upgraded = { 101: z.null().describe('The connection is a WebSocket now.') };

export const page = {
  tags,
  summary: 'WebSocket of a session: frames, permissions, prompts',
  params,
  querystring: z.object({
    after: z
      .string()
      .max(20)
      .optional()
      .describe('Goes on after this number instead of from the transcript.'),
    person,
  }),
  response: { ...answers(z.null(), ErrorBody), ...upgraded },
};

export const terminal = {
  tags,
  summary:
    'WebSocket of a session\'s terminal: binary messages are bytes, text is `{type:"resize",cols,rows}`',
  params,
  querystring,
  response: { ...answers(z.null(), ErrorBody), ...upgraded },
};
