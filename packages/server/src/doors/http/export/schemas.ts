// Requests and responses of the export.
import { ErrorBody } from '@parley/protocol';
import { z } from 'zod';
import { longestId, person } from '../openapi/fields.ts';
import { response, responses } from '../openapi/responses.ts';
import { ExportLanguage } from './words.ts';

const ExportFormatName = z.enum(['md', 'json', 'html']);
export type ExportFormatName = z.infer<typeof ExportFormatName>;

export const exportSession = {
  tags: ['sessions'],
  summary: 'A conversation as a file: Markdown, JSON, or one HTML page that loads nothing',
  params: z.object({ id: z.string().max(longestId) }),
  querystring: z.object({
    person,
    format: ExportFormatName.default('md'),
    turns: z
      .string()
      .max(40_000)
      .optional()
      .describe(
        'Only these turns: their ids, separated by commas. In a transcript, the `uuid` of the prompt.',
      ),
    language: ExportLanguage.default('en').describe('The language of the few words that the file adds.'),
    show: z.stringbool().default(false).describe('Shows the page instead of downloading it, to print it.'),
  }),
  response: {
    ...responses(z.unknown(), ErrorBody),
    200: response('The file.', 'application/octet-stream', z.unknown()),
  },
};
