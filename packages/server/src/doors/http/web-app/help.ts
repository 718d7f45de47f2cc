// The documentation under /help: static pages that the build made from docs/. They are the same for everybody and contain no
// secrets, so they need no login: whoever can't log in needs them most.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { FastifyReply } from 'fastify';
import type { App } from '../app.ts';
import { noSuchRoute, sendError } from '../errors.ts';
import { announceRange } from '../files/send-file.ts';
import type { WebFile } from './files.ts';
import { sendWebFile } from './routes.ts';

export interface HelpServices {
  /** By file name; empty if the documentation isn't built. */
  readonly help: ReadonlyMap<string, WebFile>;
  readonly basePath: string;
}

const config = { access: 'open', isFile: true } as const;

export function helpRoutes(app: App, { help, basePath }: HelpServices): void {
  if (help.size === 0) return;
  // The pages link to each other relative to the slash.
  app.get('/help', { config }, (_request, reply) => void reply.redirect(`${basePath}/help/`));
  app.get<{ Params: { '*': string } }>('/help/*', { config }, (request, reply) => {
    const name = request.params['*'] || 'index.html';
    const file = help.get(name);
    if (!file) return sendError(request, reply, noSuchRoute);
    reply.header('content-security-policy', policy);
    return file.type === 'video/webm' ? sendVideo(file, reply) : sendWebFile(file, name, request, reply);
  });
}

/** Sends the whole video or a range of it: players ask for ranges, and Safari plays nothing without them. */
async function sendVideo({ path, type }: WebFile, reply: FastifyReply): Promise<FastifyReply> {
  const { size } = await stat(path);
  reply.header('cache-control', 'private, max-age=3600').type(type);
  const range = announceRange(reply, size);
  return range ? reply.send(createReadStream(path, range)) : reply.serializer(String).send('');
}

/** Everything comes from this server; nothing is inline. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "media-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
