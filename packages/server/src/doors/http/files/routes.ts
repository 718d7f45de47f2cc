// The files of a session's working directory and the notes of a person: the same routes under two paths.
import type { SessionLevel } from '@parley/protocol';
import type { FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Actor } from '../../../domain/access.ts';
import type { FilePlace, FilePlaces, Files } from '../../../domain/files.ts';
import { toSessionId } from '../../session-id.ts';
import type { App } from '../app.ts';
import type { OpenRequests } from '../streams/open-requests.ts';
import * as schemas from './schemas.ts';
import { sendFile } from './send-file.ts';

export interface FileServices {
  readonly files: Files;
  readonly places: FilePlaces;
  readonly requests: OpenRequests;
}

/** Whoever may see a session may read its files; only those who take part in it may change them. */
export function sessionFileRoutes(app: App, services: FileServices): void {
  addRoutes(app, '/api/claude/sessions/:id/files', services, (actor, id, needed) =>
    services.places.ofSession(actor, toSessionId(id), needed),
  );
}

export function notesFileRoutes(app: App, services: FileServices): void {
  addRoutes(app, '/api/notes/files', services, (actor) => services.places.ofNotes(actor));
}

type PlaceOf = (actor: Actor, id: string, needed: SessionLevel) => Promise<FilePlace>;

/** JSON takes more bytes than the text in it. */
const saveBytes = 8 * 1024 * 1024;
const uploadBytes = 32 * 1024 * 1024;

function addRoutes(app: App, base: string, { files, requests }: FileServices, placeOf: PlaceOf): void {
  const reading = ({ actor, params }: FastifyRequest) => placeOf(actor, idOf(params), 'read');
  const writing = ({ actor, params }: FastifyRequest) => placeOf(actor, idOf(params), 'participate');

  app.get(base, { schema: schemas.list }, async (request) => {
    const { path, offset, limit } = request.query;
    return files.list(await reading(request), path, { offset, limit });
  });

  app.get(`${base}/content`, { schema: schemas.read }, async (request) => {
    const { path, offset } = request.query;
    return files.read(await reading(request), path, offset);
  });

  app.put(`${base}/content`, { schema: schemas.save, bodyLimit: saveBytes }, async (request) => {
    const { path, text, version } = request.body;
    const replaces = version === null ? 'nothing' : { version };
    return files.write(await writing(request), path, Buffer.from(text), replaces);
  });

  app.get(`${base}/raw`, { schema: schemas.raw, exposeHeadRoute: false }, async (request, reply) =>
    sendFile(reply, await files.open(await reading(request), request.query.path)),
  );

  app.get(`${base}/search`, { schema: schemas.search }, async (request, reply) => {
    const { q, in: where, regex, limit } = request.query;
    const signal = requests.open('json', reply);
    const place = await reading(request);
    const { matches, isCut } = await (where === 'names'
      ? files.findNames(place, q, { limit, signal })
      : files.findLines(place, q, { isRegex: regex === 'true', signal }));
    return { matches: [...matches], truncated: isCut };
  });

  app.register((scope, _options, done) => {
    // Bytes as they arrive. Only here: everything else is JSON.
    scope.addContentTypeParser('application/octet-stream', (_request, body, parsed) => parsed(null, body));
    scope
      .withTypeProvider<ZodTypeProvider>()
      .put(`${base}/raw`, { schema: schemas.upload, bodyLimit: uploadBytes }, async (request) => {
        const { path, replace } = request.query;
        const content = request.body as AsyncIterable<Uint8Array> | undefined;
        const replaces = replace === 'true' ? 'anything' : 'nothing';
        return files.write(await writing(request), path, content ?? new Uint8Array(), replaces);
      });
    done();
  });
}

function idOf(params: unknown): string {
  return (params as { readonly id: string }).id;
}
