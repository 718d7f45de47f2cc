// Trusting a folder over HTTP.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { person } from '../../engines/claude-code/harness.ts';
import { openRealDoor, type RealDoor } from '../websocket/real-program.ts';
import { key } from './door-harness.ts';

let door: RealDoor;
beforeAll(async () => {
  door = await openRealDoor();
});
afterAll(() => door.close());

const at = (path: string) => `/api/work-folders/trust?path=${encodeURIComponent(path)}`;

async function call(method: string, path: string, body?: unknown) {
  const headers = { 'x-api-key': key, 'x-notes-person': person };
  const content = { headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const answer = await fetch(door.url + path, { method, ...(body === undefined ? { headers } : content) });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

it('shows what a folder would run, trusts exactly that, lists it, and stops [code.trust.once] [code.trust.nothing-to-run]', async () => {
  const path = door.code.project;
  expect(await call('GET', at(path))).toMatchObject({
    status: 200,
    body: { path, trusted: true, reason: 'nothing', runs: [], more: 0, instructions: [] },
  });
  await mkdir(join(path, '.claude'));
  const file = join(path, '.claude', 'settings.json');
  const hooks = { Stop: [{ hooks: [{ type: 'command', command: 'touch \u202ehere' }] }] };
  await writeFile(file, JSON.stringify({ hooks }));
  const seen = await call('GET', at(path));
  expect(seen.body).toMatchObject({
    trusted: false,
    reason: 'new',
    runs: [{ kind: 'hook', name: 'Stop', detail: 'touch here', file }],
  });
  const { digest } = seen.body;
  expect(await call('PUT', '/api/work-folders/trust', { path, digest })).toMatchObject({
    status: 200,
    body: { trusted: true, reason: 'trusted', trustedBy: person, trustedAt: expect.any(String) },
  });
  expect(await call('GET', '/api/work-folders/trusted')).toEqual({
    status: 200,
    body: { folders: [{ path, trustedBy: person, trustedAt: expect.any(String) }] },
  });
  await writeFile(file, JSON.stringify({ hooks, apiKeyHelper: 'x' }));
  expect((await call('GET', at(path))).body).toMatchObject({ trusted: false, reason: 'changed' });
  expect(await call('PUT', '/api/work-folders/trust', { path, digest })).toMatchObject({ status: 409 });
  expect((await call('DELETE', at(path))).body).toMatchObject({ trusted: false, reason: 'new' });
  expect((await call('GET', '/api/work-folders/trusted')).body).toEqual({ folders: [] });
});

it('refuses folders outside of the roots, and requests without a path', async () => {
  expect(await call('GET', at('/etc'))).toMatchObject({ status: 403 });
  expect(await call('PUT', '/api/work-folders/trust', { path: '/etc', digest: 'x' })).toMatchObject({
    status: 403,
  });
  expect(await call('GET', '/api/work-folders/trust')).toMatchObject({ status: 400 });
  expect(await call('PUT', '/api/work-folders/trust', { path: door.code.project })).toMatchObject({
    status: 400,
  });
});
