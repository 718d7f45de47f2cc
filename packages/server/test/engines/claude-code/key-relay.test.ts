// The relay that keeps the API key out of the program: on its own with a real server behind it, and with the real program.
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import {
  createServer,
  get,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Usage } from '@parley/protocol';
import { createGate, reply } from '@parley/stand-ins';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { createOutgoing } from '../../../src/basics/outgoing.ts';
import { silentLogger } from '../../../src/domain/logger.ts';
import { unlimited } from '../../../src/domain/spending.ts';
import { createProgramHomes } from '../../../src/engines/claude-code/program-homes.ts';
import {
  createKeyRelay,
  type Holder,
  type ModelAccess,
} from '../../../src/engines/claude-code/relay/key-relay.ts';
import { type CodeHarness, eventually, openCodeHarness, person, promptOnScreen, runTurn } from './harness.ts';

const apiKey = 'sk-ant-the-real-key';
const session = '0c7d5b0e-5d5c-4a59-9d39-7d0f6a0c1c55';
const chargedTo = () => ({ payer: { person: 'ada', assistant: 'claude-code', session }, door: 'web' });

type Handler = (...args: Parameters<RequestListener>) => void | Promise<void>;

async function relayTo(handle: Handler, holder: Partial<Holder> = {}) {
  const server = createServer((...args) => void handle(...args)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/below`;
  const relay = createKeyRelay({
    upstream: { apiKey, baseUrl },
    outgoing: createOutgoing(),
    spending: unlimited,
    logger: silentLogger,
  });
  onTestFinished(async () => {
    await relay.close();
    server.closeAllConnections();
    server.close();
  });
  await relay.start();
  const access = relay.open({ session, chargedTo, ...holder });
  const { ANTHROPIC_BASE_URL: url, ANTHROPIC_AUTH_TOKEN: token } = access.variables;
  const call = (
    path: string,
    options: Omit<RequestInit, 'headers'> & { readonly headers?: Record<string, string> } = {},
  ) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      ...options,
      headers: { authorization: `Bearer ${token}`, 'x-custom': 'kept', ...options.headers },
    });
  return { relay, access, call, server };
}

const event = (type: string, fields: object) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
const start = event('message_start', {
  message: { model: 'claude-sonnet-5-5', usage: { input_tokens: 1_000, output_tokens: 1 } },
});
const text = event('content_block_delta', { delta: { type: 'text_delta', text: 'Über "usage"' } });
const end = event('message_delta', { usage: { output_tokens: 500 } });

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  return body;
}

/** The status for a path that `fetch` would change or refuse to send. */
async function getAsWritten({ variables }: ModelAccess, path: string): Promise<number | undefined> {
  const { port } = new URL(String(variables['ANTHROPIC_BASE_URL']));
  const headers = { authorization: `Bearer ${variables['ANTHROPIC_AUTH_TOKEN']}` };
  const asked = get({ host: '127.0.0.1', port, path, headers });
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  answer.resume();
  return answer.statusCode;
}

describe('the key relay', () => {
  it('sends the real key instead of the token, and everything else unchanged [code.relay.key]', async () => {
    const seen: { url: string | undefined; headers: IncomingMessage['headers']; body: string }[] = [];
    const { call } = await relayTo(async (request, response) => {
      seen.push({ url: request.url, headers: request.headers, body: await bodyOf(request) });
      response.setHeader('request-id', 'req_1').end('{}');
    });
    const answer = await call('/v1/messages?beta=true', { body: '{"stream":true}' });
    expect(answer.headers.get('request-id')).toBe('req_1');
    expect(seen).toMatchObject([
      {
        url: '/below/v1/messages?beta=true',
        body: '{"stream":true}',
        headers: { 'x-api-key': apiKey, 'x-custom': 'kept' },
      },
    ]);
    expect(seen[0]?.headers).not.toHaveProperty('authorization');
  });

  it('passes events on as they come, and counts tokens and cost [code.relay.streams] [code.relay.counts]', async () => {
    const counted: [string, Usage][] = [];
    const gate = createGate();
    const { call } = await relayTo(
      async (_, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        // In pieces that end in the middle of a line.
        response.write(start.slice(0, 40));
        response.write(start.slice(40) + text);
        await gate.opened;
        response.end(end);
      },
      { onUsage: (model, usage) => counted.push([model, usage]) },
    );
    const answer = await call('/v1/messages');
    const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
    let got = '';
    const read = async () => {
      const { value, done } = await reader.read();
      got += Buffer.from(value ?? []).toString();
      return done;
    };
    while (!got.includes('Über')) await read();
    expect(counted).toEqual([]);
    gate.open();
    while (!(await read()));
    expect(got).toBe(start + text + end);
    await eventually(() => counted.length > 0);
    expect(counted).toEqual([
      [
        'claude-sonnet-5-5',
        expect.objectContaining({ inputTokens: 1_000, outputTokens: 500, costUsd: 0.007 }),
      ],
    ]);
  });

  it('counts answers without a stream, and those that were cut off [code.relay.counts]', async () => {
    const counted: Usage[] = [];
    const { call } = await relayTo(
      (request, response) => {
        if (request.url?.includes('cut')) {
          response.writeHead(200, { 'content-type': 'text/event-stream' }).write(start);
          setImmediate(() => response.destroy());
          return;
        }
        response.setHeader('content-type', 'application/json');
        response.end(
          JSON.stringify({ model: 'claude-sonnet-5-5', usage: { input_tokens: 7, output_tokens: 3 } }),
        );
      },
      { onUsage: (_, usage) => counted.push(usage) },
    );
    await (await call('/v1/messages')).text();
    await expect(call('/v1/messages?cut').then((answer) => answer.text())).rejects.toThrow('terminated');
    await eventually(() => counted.length === 2);
    expect(counted).toMatchObject([{ inputTokens: 7, outputTokens: 3 }, { inputTokens: 1_000 }]);
  });

  it('stops asking the API when the program goes away or its access ends [code.relay.aborts] [code.relay.token]', async () => {
    const opened: ServerResponse[] = [];
    const { call, access } = await relayTo((_, response) => {
      opened.push(response);
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(start);
    });
    const abort = new AbortController();
    await call('/v1/messages', { signal: abort.signal });
    abort.abort();
    await eventually(() => opened[0]?.closed === true);
    const answer = await call('/v1/messages');
    access.close();
    await expect(answer.text()).rejects.toThrow('terminated');
    await eventually(() => opened[1]?.closed === true);
    expect((await call('/v1/messages')).status).toBe(401);
    expect(opened).toHaveLength(2);
  });

  it('serves only the tokens it gave out, and only what a session needs [code.relay.token]', async () => {
    let requests = 0;
    const { call, relay, access } = await relayTo((_, response) => {
      requests += 1;
      response.end('{}');
    });
    const other = relay.open({ session, chargedTo });
    const [id] = String(other.variables['ANTHROPIC_AUTH_TOKEN']).split('.');
    for (const token of ['', apiKey, `${id}.`, `${id}.wrong`, 'x.y']) {
      expect((await call('/v1/messages', { headers: { authorization: `Bearer ${token}` } })).status).toBe(
        401,
      );
    }
    for (const path of ['/v1/files', '/v1/messages/batches', '/v1/models/../files', '/', '/api/hello']) {
      expect([path, (await call(path)).status]).toEqual([path, 404]);
    }
    for (const path of ['//', '/v1/models/..', '/v1/models/..%2ffiles', '/v1/models/%2e%2e', '*']) {
      expect([path, await getAsWritten(access, path)]).toEqual([path, 404]);
    }
    expect(requests).toBe(0);
    expect((await call('/v1/models/x', { method: 'GET' })).status).toBe(200);
    expect((await call('/v1/messages/count_tokens')).status).toBe(200);
  });

  it('refuses requests that are too large for the API, and those beyond a budget [code.relay.limits] [code.relay.budget]', async () => {
    const { call } = await relayTo(
      async (request, response) => {
        await bodyOf(request).catch(() => undefined);
        response.setHeader('content-type', 'text/event-stream').end(start + end);
      },
      { refusal: ({ costUsd }) => (costUsd > 0 ? 'The budget is used up.' : undefined) },
    );
    const large = await call('/v1/messages', { body: Buffer.alloc(33 * 1024 * 1024) });
    expect([large.status, await large.json()]).toMatchObject([413, { error: { type: 'request_too_large' } }]);
    await (await call('/v1/messages')).text();
    const refused = await call('/v1/messages');
    expect([refused.status, await refused.json()]).toEqual([
      400,
      { type: 'error', error: { type: 'invalid_request_error', message: 'The budget is used up.' } },
    ]);
  });

  it('hides the key in errors, and says when the API cannot be reached [code.relay.key] [code.relay.errors]', async () => {
    const { call, server } = await relayTo((request, response) => {
      response
        .writeHead(529, { 'x-should-retry': 'true' })
        .end(`You sent ${String(request.headers['x-api-key'])}`);
    });
    const answer = await call('/v1/messages');
    expect([answer.status, answer.headers.get('x-should-retry')]).toEqual([529, 'true']);
    expect(await answer.text()).toBe('You sent [the API key]');
    server.closeAllConnections();
    server.close();
    const lost = await call('/v1/messages');
    expect([lost.status, await lost.json()]).toMatchObject([502, { error: { type: 'api_error' } }]);
  });

  it('leaves everything as it is where the program has its own login [code.relay.own-login]', async () => {
    const host = { HOME: '/home/ada', ANTHROPIC_AUTH_TOKEN: 'of the user' };
    const homes = createProgramHomes(host, {
      owner: 'ada',
      folderOf: (name) => `/home/parley/${name}`,
      upstream: { baseUrl: 'https://api.anthropic.com' },
    });
    expect(homes.host).toEqual(host);
    expect((await homes.of('ada')).variables).toEqual({ ANTHROPIC_BASE_URL: 'https://api.anthropic.com' });
    expect(homes.upstream).toBeUndefined();
    const relay = createKeyRelay({
      upstream: homes.upstream,
      outgoing: createOutgoing(),
      spending: unlimited,
      logger: silentLogger,
    });
    await relay.start();
    expect(relay.open({ session, chargedTo }).variables).toEqual({});
    await relay.close();
  });

  it('removes the key from every variable of the host [code.relay.key]', async () => {
    const host = {
      ANTHROPIC_API_KEY: apiKey,
      ANTHROPIC_CUSTOM_HEADERS: `x-key: ${apiKey}`,
      HOME: `/${apiKey}`,
    };
    const upstream = { apiKey, baseUrl: 'http://127.0.0.1:9' };
    const homes = createProgramHomes(host, { owner: 'ada', folderOf: (name) => `/${name}`, upstream });
    const { variables } = await homes.of('ada');
    expect(variables).toEqual({ ANTHROPIC_API_KEY: undefined, ANTHROPIC_CUSTOM_HEADERS: undefined });
    expect(homes.upstream).toEqual(upstream);
  });
});

describe('the program behind the relay', () => {
  let code: CodeHarness;
  afterEach(() => code.close());

  /** A trusted folder whose hook writes down its environment. */
  const open = async () => {
    code = await openCodeHarness();
    const hooks = {
      SessionStart: [{ hooks: [{ type: 'command', command: `env > ${join(code.root, 'env')}` }] }],
    };
    await mkdir(join(code.project, '.claude'));
    await writeFile(join(code.project, '.claude', 'settings.json'), JSON.stringify({ hooks }));
    const { digest } = await code.trust.look(person, code.project);
    await code.trust.trust(person, code.project, digest);
  };
  const environment = async () => {
    const lines = (await readFile(join(code.root, 'env'), 'utf8')).split('\n');
    return Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string]));
  };

  it('never has the key, and neither does anything it starts; its token ends with it [code.relay.key] [code.relay.token]', async () => {
    await open();
    const { id } = await code.newSession();
    code.standIn.enqueue(reply('Hello.'));
    expect((await runTurn(code, id, 'Hello')).ended.outcome).toBe('completed');
    expect(code.standIn.requests.map(({ headers }) => headers['x-api-key'])).toContain('stand-in-key');
    const env = await environment();
    expect(JSON.stringify(env)).not.toContain('stand-in-key');
    expect(env).not.toHaveProperty('ANTHROPIC_API_KEY');
    const ask = () =>
      fetch(`${env['ANTHROPIC_BASE_URL']}/v1/messages/count_tokens`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${env['ANTHROPIC_AUTH_TOKEN']}`,
          'content-type': 'application/json',
          'anthropic-version': '2023-06-01',
        },
        body: JSON.stringify({ model: 'claude-sonnet-5-5', messages: [{ role: 'user', content: 'x' }] }),
      });
    expect((await ask()).status).toBe(200);
    await code.engine.release?.(id);
    expect((await ask()).status).toBe(401);
  });

  it('works in the terminal without a question, and what it uses is recorded [code.relay.key] [code.relay.counts]', async () => {
    await open();
    const { id } = await code.newSession({ mode: 'cli' });
    await promptOnScreen(code, id);
    expect(JSON.stringify(await environment())).not.toContain('stand-in-key');
    expect(code.terminalUsage).toContainEqual([
      id,
      expect.any(String),
      expect.objectContaining({ outputTokens: expect.any(Number) }),
    ]);
  });
});
