// Finds out whether another server answers this one and has the same secret.
import { ApiError, createHttp } from '@parley/client';
import type { PersonName } from '@parley/protocol';
import type { OtherServer } from '../domain/ownership.ts';
import { type ServerSignature, serverHeader } from './server-signature.ts';

/** The status of its answer: 200, 401 if it doesn't recognize this server, 0 if there is none. Never rejects. */
export function greet(
  { url }: OtherServer,
  signature: ServerSignature,
  person: PersonName,
  signal: AbortSignal,
): Promise<number> {
  const path = '/api/me';
  const header = signature.sign({ person, scope: { readOnly: true } }, { method: 'GET', path });
  return createHttp({ baseUrl: url })
    .request(path, { headers: { [serverHeader]: header }, signal })
    .then(
      () => 200,
      (error: unknown) => (error instanceof ApiError ? error.status : 0),
    );
}
