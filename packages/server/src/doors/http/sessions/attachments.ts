// The bytes of images and files that were sent with prompts.
import { ErrorBody, ParleyError, type PromptPart } from '@parley/protocol';
import { z } from 'zod';
import type { Actor } from '../../../domain/access.ts';
import type { Gateway } from '../../../domain/gateway.ts';
import { toSessionId } from '../../session-id.ts';
import type { App } from '../app.ts';
import { asDownload } from '../download.ts';
import { longestId } from '../openapi/fields.ts';
import { response, responses } from '../openapi/responses.ts';
import { querystring, tags } from './schemas.ts';

const noImage = new ParleyError('not_found', 'There is no such image.');
const noFile = new ParleyError('not_found', 'There is no such file.');
const keptByBrowser = { 'cache-control': 'private, max-age=86400, immutable' };

const Attachment = z.object({
  id: z.string().max(longestId),
  turnId: z.string().max(longestId),
  index: z.coerce.number().int().min(0).max(100),
});

const fileSchema = {
  tags,
  summary: 'A file that was sent with a prompt, as a download',
  params: Attachment,
  querystring,
  response: {
    ...responses(z.unknown(), ErrorBody),
    200: response('The file.', 'application/octet-stream', z.unknown()),
  },
};

const imageSchema = {
  tags,
  summary: 'An image that was sent with a prompt',
  params: Attachment,
  querystring,
  response: { ...responses(z.unknown(), ErrorBody), 200: response('The image.', 'image/*', z.unknown()) },
};

export function attachmentRoutes(app: App, { gateway }: { readonly gateway: Gateway }): void {
  // Both are sent as bytes, without the serializer.
  app.get(
    '/api/sessions/:id/turns/:turnId/images/:index',
    { schema: imageSchema },
    async ({ actor, params }, reply) => {
      const image = await attached(actor, params, 'image');
      return reply.headers(keptByBrowser).type(image.mediaType).send(Buffer.from(image.data, 'base64'));
    },
  );

  app.get(
    '/api/sessions/:id/turns/:turnId/files/:index',
    { schema: fileSchema },
    async ({ actor, params }, reply) => {
      const file = await attached(actor, params, 'file');
      // Never shown as a page of ours, whatever it contains.
      return reply
        .headers({ ...keptByBrowser, 'content-disposition': asDownload(file.name) })
        .type('application/octet-stream')
        .send(Buffer.from(file.data, 'base64'));
    },
  );

  async function attached<Type extends 'image' | 'file'>(
    actor: Actor,
    { id, turnId, index }: { id: string; turnId: string; index: number },
    type: Type,
  ): Promise<Extract<PromptPart, { type: Type }>> {
    const turns = await gateway.turns(actor, toSessionId(id));
    const prompt = turns.find((turn) => turn.id === turnId)?.prompt ?? [];
    const parts = prompt.filter((part): part is Extract<PromptPart, { type: Type }> => part.type === type);
    const part = parts[index];
    if (!part) throw type === 'image' ? noImage : noFile;
    return part;
  }
}
