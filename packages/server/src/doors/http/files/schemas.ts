// Requests and responses of the file endpoints, with the error messages for bad input.
import { ErrorBody, FileFacts, FileMatches, FilePage, FilePart } from '@parley/protocol';
import { z } from 'zod';
import { bodyOf, longestId, mustBeString, pageLimit, person } from '../openapi/fields.ts';
import { response, responses } from '../openapi/responses.ts';

const tags = ['files'];

/** Any text: what can't be the id of a session gets a 404. Notes have none. */
const params = z.object({ id: z.string().max(longestId).default('') });

const path = z
  .string({ error: ({ input }) => (input === undefined ? '`path` is missing.' : mustBeString('path')) })
  .max(4_096, '`path` is too long.')
  .describe('Relative to the folder, with "/" between names, exactly as listed.');
const offset = z.coerce.number('must be a number').int().min(0).max(Number.MAX_SAFE_INTEGER).default(0);
const version = z.string(mustBeString('version')).max(200);

export const list = {
  tags,
  summary: 'A folder: its folders, then its files',
  params,
  querystring: z.object({ path: path.default(''), offset, limit: pageLimit(1_000, 500), person }),
  response: responses(FilePage, ErrorBody),
};

export const read = {
  tags,
  summary: 'A part of a text file, or what kind of file it is instead',
  params,
  querystring: z.object({ path, offset: offset.describe('The byte to start at.'), person }),
  response: responses(FilePart, ErrorBody),
};

export const save = {
  tags,
  summary: 'Save a text file; 409 if it is no longer the version that was read',
  params,
  body: z.strictObject(
    {
      path,
      text: z.string(mustBeString('text')),
      version: version
        .nullable()
        .describe('`version` of the file that the text replaces; null if there must be none.'),
      person,
    },
    { error: bodyOf('path, text, version, person') },
  ),
  response: responses(FileFacts, ErrorBody),
};

export const raw = {
  tags,
  summary: 'Download a file; understands `Range` with one range',
  params,
  querystring: z.object({ path, person }),
  response: {
    ...responses(z.unknown(), ErrorBody),
    200: response('The bytes of the file.', 'application/octet-stream', z.unknown()),
    206: response('A part of them.', 'application/octet-stream', z.unknown()),
  },
};

export const upload = {
  tags,
  summary: 'Upload a file; 409 if it exists already, unless `replace` is true',
  params,
  querystring: z.object({
    path,
    replace: z.enum(['true', 'false'], 'must be `true` or `false`').default('false'),
    person,
  }),
  response: responses(FileFacts, ErrorBody),
};

export const search = {
  tags,
  summary: 'Find files and folders by name, or lines by content',
  params,
  querystring: z.object({
    q: z.string().min(1).max(1_000),
    in: z.enum(['names', 'content']).default('names'),
    regex: z.enum(['true', 'false'], 'must be `true` or `false`').default('false'),
    limit: pageLimit(200, 50).describe('Applies to names only.'),
    person,
  }),
  response: responses(FileMatches, ErrorBody),
};
