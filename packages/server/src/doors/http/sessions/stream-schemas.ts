// Requests and responses of prompts and events.
import { Envelope, ErrorBody, ImageAttachment, Prompt, Session, TurnId } from '@parley/protocol';
import { z } from 'zod';
import { Message } from '../kitchen/schemas.ts';
import { bodyOf, PromptHeaders, person } from '../openapi/fields.ts';
import { response, responses } from '../openapi/responses.ts';
import { Id, tags } from './schemas.ts';

/** The most images in one prompt. */
const maxImages = 5;
const images = z
  .array(z.strictObject(ImageAttachment.shape))
  .max(maxImages, `At most ${maxImages} images go with one message.`)
  .optional()
  .describe('Up to five images, like `image`.');
/** A prompt in its internal form. Another server has checked it. */
const forwarded = z
  .strictObject({ prompt: Prompt, door: z.string().max(200), canAsk: z.literal(false).exactOptional() })
  .optional()
  .describe('Only for other servers of the same cluster.');
/** Says whether a key was used before. */
const admittedBefore = {
  fresh: z.boolean().optional().describe('False if the key was admitted before.'),
  prompt: Prompt.optional().describe('What was admitted with the key before.'),
};

export const prompt = {
  tags,
  summary: 'Send a prompt; the answer arrives as events',
  params: Id,
  headers: PromptHeaders,
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
    ...responses(z.unknown(), ErrorBody),
    202: response(
      'Admitted: it will be answered.',
      'application/json',
      z.object({
        turnId: TurnId.nullable().describe('Null when the prompt was added to the running turn.'),
        after: z.int().optional().describe('Follow the events after this number.'),
        steered: z.boolean().optional(),
        ...admittedBefore,
      }),
    ),
  },
};

export const branch = {
  tags,
  summary:
    'Replace an earlier prompt: starts a new conversation that begins like this one. This one stays as it is',
  params: Id,
  headers: PromptHeaders,
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
    ...responses(z.unknown(), ErrorBody),
    201: response(
      'Admitted: it will be answered.',
      'application/json',
      z.object({
        session: Session,
        turnId: TurnId,
        after: z.int(),
        ...admittedBefore,
      }),
    ),
  },
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
    ...responses(z.unknown(), ErrorBody),
    200: response('Server-sent events: `id` is the number, `data` the event.', 'text/event-stream', Envelope),
  },
};
