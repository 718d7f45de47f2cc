// Limits the bytes of bodies in memory: counts them from before they are read until their request is answered.
import { type Readable, Transform } from 'node:stream';
import { ParleyError } from '@parley/protocol';
import type { FastifyRequest } from 'fastify';
import type { ByteAccount, ByteBudget } from '../../../basics/byte-budget.ts';
import type { People } from '../../../domain/people.ts';
import type { App } from '../app.ts';

export function limitWaitingBodies(app: App, budget: ByteBudget, people: People): void {
  app.addHook('preParsing', async (request, reply, body) => {
    if (reply.raw.destroyed) {
      // The client has left: its body would never end, and the events below are over.
      reply.hijack();
      return body;
    }
    const account = budget.of(ownerOf(request, people));
    const length = Number(request.headers['content-length'] ?? Number.NaN);
    if (length === 0 || !hasBody(request)) return body;
    if (Number.isNaN(length)) {
      const counted = countBytes(body, account);
      reply.raw.once('close', () => account.release(counted.taken()));
      return counted.stream;
    }
    if (!account.take(length)) throw tooMuchWaits;
    reply.raw.once('close', () => account.release(length));
    return body;
  });
}

export const tooMuchWaits = new ParleyError(
  'busy',
  'Too much is waiting to be processed. Send less at once, or try again in a moment.',
);

/** Ignores that the body may name the person too, because it has not been read yet. */
function ownerOf({ caller, headers }: FastifyRequest, people: People): string {
  const named = people.list().find((person) => person === headers['x-notes-person']);
  return caller?.person ?? named ?? caller?.chosen ?? `${caller?.label}`;
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

/** A body of unknown length. */
function countBytes(body: Readable, account: ByteAccount) {
  let taken = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (!account.take(chunk.length)) return done(tooMuchWaits);
      taken += chunk.length;
      return done(null, chunk);
    },
  });
  body.once('error', (error) => stream.destroy(error));
  // Whoever reads the body gets the error. Without a listener, it would end the process if nobody reads yet.
  stream.on('error', () => undefined);
  return { stream: body.pipe(stream), taken: () => taken };
}
