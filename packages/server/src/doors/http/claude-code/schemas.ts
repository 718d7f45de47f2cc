// Requests and responses of the Claude Code endpoints, with the error messages for bad input.
import {
  CodeMessagePage,
  CodeSessionList,
  CodeSessionPatch,
  CodeSessionView,
  ErrorBody,
  FolderTrustView,
  NewCodeSession,
  Rewind,
  TrustedFolders,
  WorkFolderList,
} from '@parley/protocol';
import { z } from 'zod';
import {
  bodyOf,
  flag,
  longestId,
  markFilter,
  mustBeString,
  pageLimit,
  params,
  person,
} from '../openapi/fields.ts';
import { response, responses } from '../openapi/responses.ts';

const tags = ['claude-code'];

/** Any text: what can't be the id of a session gets a 404. */
const querystring = z.object({ person });

/** Long, because it contains a position in the list of every machine. */
const cursor = z.string().max(10_000).optional();

const { machine } = NewCodeSession.shape;

export const list = {
  tags,
  summary: 'Claude Code sessions, newest first',
  querystring: z.object({
    limit: pageLimit(200, 50),
    cursor: cursor.describe('`next_cursor` of the previous page.'),
    q: z.string().max(500).optional().describe('Words in titles and first prompts.'),
    full_text: flag('Searches the messages too.'),
    project: z.string().max(4_096).optional().describe('Only sessions with this working directory.'),
    ...markFilter,
    archived: flag('Lists archived sessions instead of the others.'),
    person,
  }),
  response: responses(CodeSessionList, ErrorBody),
};

const workingDir = z
  .string({
    error: ({ input }) => (input === undefined ? '`workingDir` is missing.' : mustBeString('workingDir')),
  })
  .min(1, '`workingDir` is empty.')
  .max(4_096, '`workingDir` is too long.');

export const create = {
  tags,
  summary: 'Start or continue a session; the program starts with the first message or viewer',
  body: z.object(
    {
      ...NewCodeSession.shape,
      workingDir,
      person,
    },
    { error: bodyOf('workingDir, title, resumeId, mode, config, machine, person') },
  ),
  response: {
    ...responses(CodeSessionView, ErrorBody),
    201: response('Started.', 'application/json', CodeSessionView),
  },
};

export const prepare = {
  tags,
  summary: 'Start a process early for a session that is about to be created',
  body: z.object(
    { workingDir, config: NewCodeSession.shape.config, machine, person },
    { error: bodyOf('workingDir, config, machine, person') },
  ),
  response: { ...responses(z.null(), ErrorBody), 204: z.null().describe('Prepared.') },
};

export const get = {
  tags,
  summary: 'One session',
  params,
  querystring,
  response: responses(CodeSessionView, ErrorBody),
};

export const patch = {
  tags,
  summary: 'Rename, archive or unarchive a session',
  params,
  body: z.object({ ...CodeSessionPatch.shape, person }, { error: bodyOf('title, archived, person') }),
  response: responses(CodeSessionView, ErrorBody),
};

export const remove = {
  tags,
  summary: 'Delete a session with its transcript',
  params,
  querystring,
  response: { ...responses(z.null(), ErrorBody), 204: z.null().describe('Deleted.') },
};

export const rewind = {
  tags,
  summary: "Restore files that the program's tools changed to how they were before a prompt",
  params,
  body: z.strictObject(
    {
      before: z.string(mustBeString('before')).max(longestId).describe('The id of the prompt.'),
      dryRun: z
        .boolean('`dryRun` must be true or false.')
        .default(false)
        .describe('Changes nothing; only says which files would change.'),
      person,
    },
    { error: bodyOf('before, dryRun, person') },
  ),
  response: responses(Rewind, ErrorBody),
};

export const fork = {
  tags,
  summary: 'Start a new session with the same history',
  params,
  querystring,
  response: {
    ...responses(CodeSessionView, ErrorBody),
    201: response('Started.', 'application/json', CodeSessionView),
  },
};

export const messages = {
  tags,
  summary: 'The messages of a session exactly as the program wrote them, paged from the end',
  params,
  querystring: z.object({
    before: cursor.describe('`before` of the previous page.'),
    limit: pageLimit(1_000, 50),
    subagent: z
      .string()
      .max(200)
      .optional()
      .describe('Returns the messages of the subagent that this tool call started instead.'),
    person,
  }),
  response: responses(CodeMessagePage, ErrorBody),
};

export const workFolders = {
  tags,
  summary: 'Folders where a session may work: the roots, or the folders inside one',
  querystring: z.object({ path: z.string().max(4_096).optional(), machine, person }),
  response: responses(WorkFolderList, ErrorBody),
};

const folderPath = z
  .string({ error: ({ input }) => (input === undefined ? '`path` is missing.' : mustBeString('path')) })
  .min(1, '`path` is empty.')
  .max(4_096, '`path` is too long.');

export const folderTrust = {
  tags,
  summary: 'What a working directory would make the program run, and whether somebody trusts it',
  querystring: z.object({ path: folderPath, machine, person }),
  response: responses(FolderTrustView, ErrorBody),
};

export const trustedFolders = {
  tags,
  summary: 'The trusted working directories',
  querystring: z.object({ person }),
  response: responses(TrustedFolders, ErrorBody),
};

export const trustFolder = {
  tags,
  summary: 'Trust a working directory with exactly the configuration that was shown',
  body: z.object(
    {
      path: folderPath,
      digest: z
        .string(mustBeString('digest'))
        .max(100)
        .describe('`digest` of the configuration that was shown.'),
      machine,
      person,
    },
    { error: bodyOf('path, digest, machine, person') },
  ),
  response: responses(FolderTrustView, ErrorBody),
};

export const distrustFolder = {
  tags,
  summary: 'Stop trusting a working directory',
  querystring: z.object({ path: folderPath, machine, person }),
  response: responses(FolderTrustView, ErrorBody),
};

const upgraded = { 101: z.null().describe('Switched to WebSocket.') };

export const page = {
  tags,
  summary: 'WebSocket of a session: frames, permissions, prompts',
  params,
  querystring: z.object({
    after: z
      .string()
      .max(20)
      .optional()
      .describe('Continues after this number instead of starting with the transcript.'),
    person,
  }),
  response: { ...responses(z.null(), ErrorBody), ...upgraded },
};

export const terminal = {
  tags,
  summary:
    'WebSocket of a session\'s terminal: binary messages are bytes, text is `{type:"resize",cols,rows}`',
  params,
  querystring,
  response: { ...responses(z.null(), ErrorBody), ...upgraded },
};

export const endTerminal = {
  tags,
  summary: 'Close the terminal of a session, so that it can continue elsewhere',
  params,
  querystring,
  response: { ...responses(z.null(), ErrorBody), 204: z.null().describe('Closed, or there was none.') },
};
