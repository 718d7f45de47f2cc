// Requests and responses of the endpoints for changes.
import { BranchList, ChangeList, ChangesSince, ErrorBody, FileDiff } from '@parley/protocol';
import { z } from 'zod';
import { bodyOf, mustBeString, params, person } from '../openapi/fields.ts';
import { noContent, responses } from '../openapi/responses.ts';

const tags = ['changes'];
const path = z
  .string(mustBeString('path'))
  .min(1)
  .max(4_096, '`path` is too long.')
  .describe('Relative to the working directory, exactly as listed.');
const tree = z
  .string()
  .regex(/^([0-9a-f]{40}|[0-9a-f]{64})$/, 'must be the id of a state, as listed')
  .describe('As listed.');
const paths = z.array(path).min(1).max(2_000);

export const list = {
  tags,
  summary:
    'The files that differ from the start of the last turn, the start of the session, or the last commit',
  params,
  querystring: z.object({ since: ChangesSince.default('head'), person }),
  response: responses(ChangeList, ErrorBody),
};

export const file = {
  tags,
  summary: 'The changed lines of one file',
  params,
  querystring: z.object({ path, from: path.optional(), base: tree, now: tree, person }),
  response: responses(FileDiff, ErrorBody),
};

export const stage = {
  tags,
  summary: 'Include files in the next commit, or leave them out; returns the changes since the last commit',
  params,
  body: z.strictObject(
    { paths, staged: z.boolean('`staged` must be true or false.'), person },
    { error: bodyOf('paths, staged, person') },
  ),
  response: responses(ChangeList, ErrorBody),
};

export const commit = {
  tags,
  summary: 'Commit what is staged; hooks do not run',
  params,
  body: z.strictObject(
    {
      message: z
        .string(mustBeString('message'))
        .max(20_000, '`message` is too long.')
        .regex(/\S/, 'Say what the commit is about.'),
      person,
    },
    { error: bodyOf('message, person') },
  ),
  response: responses(z.object({ commit: z.string() }), ErrorBody),
};

export const discard = {
  tags,
  summary:
    'Bring files back to the last commit and delete new ones; returns the changes since the last commit',
  params,
  body: z.strictObject({ paths, person }, { error: bodyOf('paths, person') }),
  response: responses(ChangeList, ErrorBody),
};

const branch = z
  .string(mustBeString('name'))
  .min(1, 'Give the branch a name.')
  .max(200, '`name` is too long.');

export const branches = {
  tags,
  summary: 'The branches, and how the current one compares with its remote',
  params,
  querystring: z.object({ person }),
  response: responses(BranchList, ErrorBody),
};

export const switchBranch = {
  tags,
  summary: 'Switch to a branch, or to a new one; 409 if changes are not committed',
  params,
  body: z.strictObject(
    { name: branch, create: z.boolean('`create` must be true or false.').default(false), person },
    { error: bodyOf('name, create, person') },
  ),
  response: responses(BranchList, ErrorBody),
};

export const remote = {
  tags,
  summary: 'Pull from the remote of the branch, or push to it',
  params: params.extend({ how: z.enum(['pull', 'push']) }),
  body: z.strictObject({ person }, { error: bodyOf('person') }),
  response: responses(BranchList, ErrorBody),
};

export const startWorktree = {
  tags,
  summary: 'Make a working tree on a new branch next to the repository, for another session',
  params,
  body: z.strictObject({ name: branch, person }, { error: bodyOf('name, person') }),
  response: responses(z.object({ path: z.string() }), ErrorBody),
};

export const finishWorktree = {
  tags,
  summary: 'Merge the branch of this working tree into its repository, or remove the working tree',
  params,
  body: z.strictObject({ how: z.enum(['merge', 'remove']), person }, { error: bodyOf('how, person') }),
  response: noContent,
};
