// Leaving the demo from the app: a real process that checks the key, keeps its passphrase, and restarts.
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { DemoExitResult, Me } from '@parley/protocol';
import { expect, it, onTestFinished } from 'vitest';
import { freshPlace, parley } from './parley-process.ts';

const key = 'sk-ant-planted-first-key';

/** As much of the Anthropic API as it takes to check a key. */
async function apiThatKnowsTheKey(): Promise<string> {
  const server = createServer((request, response) => {
    response.statusCode = request.headers['x-api-key'] === key ? 200 : 401;
    response.end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function logIn(url: string, phrase: string, person: string) {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${url}/login`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ password: phrase, person }),
  });
  const cookie = answer.headers
    .getSetCookie()
    .map((one) => one.split(';', 1)[0])
    .join('; ');
  return {
    status: answer.status,
    me: async () => (await (await fetch(`${url}/api/me`, { headers: { cookie } })).json()) as Me,
    send: (method: string, path: string, body: object) =>
      fetch(url + path, { method, headers: { ...headers, cookie }, body: JSON.stringify(body) }),
  };
}

function contentOf(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile())
    .map((file) => readFileSync(file, 'latin1'))
    .join('\n');
}

it('leaves the demo with a key that works [app.first-steps.leave-demo] [app.first-steps.safe]', async () => {
  const place = freshPlace(parley);
  const { url, program } = await place.serve([], { ANTHROPIC_BASE_URL: await apiThatKnowsTheKey() });
  const [, phrase = ''] = /Password +(\S+)/.exec(program.stderr) ?? [];
  const demo = await logIn(url, phrase, 'sebastian');
  expect(await demo.me()).toMatchObject({ demo: true, firstSteps: true });

  const home = join(place.user, '.parley');
  const wrong = await demo.send('POST', '/api/settings/leave-demo', { apiKey: 'sk-ant-wrong' });
  expect((await wrong.json()) as DemoExitResult).toEqual({
    ok: false,
    problem: 'Anthropic does not accept this key.',
  });
  // Through the general route, data would end up in two places.
  const direct = { changes: [{ key: 'anthropic.apiKey', value: key, revision: 0 }] };
  expect((await demo.send('PATCH', '/api/settings', direct)).status).toBe(400);
  expect(readdirSync(home)).toEqual(['demo']);

  const left = await demo.send('POST', '/api/settings/leave-demo', { apiKey: key });
  const said = await left.text();
  expect(JSON.parse(said)).toEqual({ ok: true, problem: null });
  // At the same address as before.
  await program.says(new RegExp(`Parley is ready at[^]*Parley is ready at ${url}\n`));
  const real = await logIn(url, phrase, 'me');
  expect(real.status).toBe(200);
  expect(await real.me()).toMatchObject({ demo: false, firstSteps: true, people: ['me'] });
  const view = await (await real.send('PATCH', '/api/settings', skip)).text();
  expect(await real.me()).toMatchObject({ firstSteps: false });
  // The key is all that keeps the demo from coming back.
  const removed = { changes: [{ key: 'anthropic.apiKey', value: null, revision: 1 }] };
  expect(await (await real.send('PATCH', '/api/settings', removed)).text()).toContain('start the demo');

  expect(await program.stop()).toMatchObject({ code: 0 });
  expect(said + view + program.stdout + program.stderr).not.toContain(key);
  expect(contentOf(join(home, 'demo'))).not.toContain(key);
  expect(statSync(join(home, 'settings.json')).mode & 0o077).toBe(0);
  expect(readFileSync(join(home, 'credentials.json'), 'utf8')).not.toContain(phrase);
});

const skip = { changes: [{ key: 'firstSteps', value: false, revision: 0 }] };

it('leaves it for the login of the program, unless demo mode is set elsewhere [app.first-steps.leave-demo]', async () => {
  const place = freshPlace(parley);
  const fixed = await place.serve([], { PARLEY_DEMO: '1', FAMILY_PASSWORD: 'family' });
  const inDemo = await logIn(fixed.url, 'family', 'petra');
  const refused = await inDemo.send('POST', '/api/settings/leave-demo', {});
  expect([refused.status, await refused.text()]).toEqual([409, expect.stringContaining('PARLEY_DEMO')]);
  await fixed.program.stop();

  const { url, program } = await place.serve([], { FAMILY_PASSWORD: 'family' });
  const demo = await logIn(url, 'family', 'petra');
  expect((await demo.send('POST', '/api/settings/leave-demo', {})).status).toBe(200);
  await program.says(/Parley is ready at[^]*Parley is ready at/);
  const real = await logIn(url, 'family', 'me');
  expect(await real.me()).toMatchObject({ demo: false });
  expect((await real.send('POST', '/api/settings/leave-demo', {})).status).toBe(409);
  await program.stop();
});
