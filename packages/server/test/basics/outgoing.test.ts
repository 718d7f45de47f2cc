// Connections through a real proxy on loopback. The hosts behind it exist nowhere else.
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type ProxyStandInOptions, startProxyStandIn } from '@parley/stand-ins';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { createOutgoing, type Outgoing } from '../../src/basics/outgoing.ts';
import { outgoingFetch } from '../../src/basics/outgoing-dispatcher.ts';
import { proxyUrl } from '../../src/basics/proxy-routes.ts';

const checkCertificates = process.env['NODE_TLS_REJECT_UNAUTHORIZED'];

afterEach(() => {
  if (checkCertificates === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
  else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = checkCertificates;
});

describe('the route of a connection', () => {
  const all = { all: 'http://proxy.example:3128' };

  it.each<[string, Parameters<typeof createOutgoing>[0], string, string | undefined]>([
    ['nothing is set', {}, 'https://api.example', undefined],
    ['HTTPS_PROXY, for https', { https: 'proxy.example:1' }, 'https://api.example', 'proxy.example:1'],
    ['HTTPS_PROXY, for wss', { https: 'proxy.example:1' }, 'wss://api.example', 'proxy.example:1'],
    ['HTTPS_PROXY, for http', { https: 'http://proxy.example:1' }, 'http://api.example', undefined],
    ['HTTP_PROXY, for https', { http: 'http://proxy.example:1' }, 'https://api.example', undefined],
    ['ALL_PROXY', all, 'https://api.example', 'proxy.example:3128'],
    ['ALL_PROXY and HTTP_PROXY', { ...all, http: 'http://h.example:1' }, 'http://api.example', 'h.example:1'],
    ['a loopback address', all, 'http://127.0.0.1:4710', undefined],
    ['another loopback address', all, 'http://127.9.9.9', undefined],
    ['the loopback address of IPv6', all, 'http://[::1]:80', undefined],
    ['localhost', all, 'http://localhost', undefined],
    ['a name below localhost', all, 'http://api.localhost', undefined],
    ['NO_PROXY=*', { ...all, none: '*' }, 'https://api.example', undefined],
    ['NO_PROXY with the name', { ...all, none: 'a.org, api.example' }, 'https://API.example', undefined],
    ['NO_PROXY with the parent', { ...all, none: 'example' }, 'https://api.example', undefined],
    ['NO_PROXY with a dot', { ...all, none: '.example' }, 'https://api.example', undefined],
    ['NO_PROXY with a star', { ...all, none: '*.example' }, 'https://api.example', undefined],
    [
      'NO_PROXY with another end',
      { ...all, none: 'pi.example' },
      'https://api.example',
      'proxy.example:3128',
    ],
    ['NO_PROXY with the port', { ...all, none: 'api.example:443' }, 'https://api.example', undefined],
    [
      'NO_PROXY with another port',
      { ...all, none: 'api.example:80' },
      'https://api.example',
      'proxy.example:3128',
    ],
    ['NO_PROXY with the network', { ...all, none: '10.0.0.0/8' }, 'http://10.1.2.3', undefined],
    [
      'NO_PROXY with another network',
      { ...all, none: '10.0.0.0/8' },
      'http://11.1.2.3',
      'proxy.example:3128',
    ],
    ['NO_PROXY with an IPv6 network', { ...all, none: 'fd00::/8' }, 'http://[fd00::7]', undefined],
    ['NO_PROXY with an IPv6 address', { ...all, none: '2001:db8::1' }, 'http://[2001:db8::1]', undefined],
  ])('is right for %s [notes.network.proxy]', (_, settings, url, proxy) => {
    expect(createOutgoing(settings).proxyFor(new URL(url))?.url.host).toBe(proxy);
  });

  it('is passed on to programs, with loopback as an exception', () => {
    expect(createOutgoing({ ...all, none: 'a.org' }).variables).toEqual({
      HTTPS_PROXY: 'http://proxy.example:3128',
      https_proxy: 'http://proxy.example:3128',
      HTTP_PROXY: 'http://proxy.example:3128',
      http_proxy: 'http://proxy.example:3128',
      NO_PROXY: 'a.org,localhost,127.0.0.1,::1',
      no_proxy: 'a.org,localhost,127.0.0.1,::1',
    });
    expect(createOutgoing({ none: 'a.org' }).variables).toEqual({});
  });

  it.each([
    'socks5://127.0.0.1:1080',
    'socks://127.0.0.1:1080',
    'ftp://proxy',
    'http://',
    'http://a%zz:b@proxy',
  ])('is not %s', (text) => {
    expect(proxyUrl(text)).toBeUndefined();
  });
});

describe('a request through the proxy', () => {
  it('sends the proxy the whole http address, and a name and password', async () => {
    const { outgoing, asked } = await behindProxy({ 'api.test:80': echo }, 'me:p@ss word');

    expect(await ask(outgoing, 'http://api.test/path?q=1')).toEqual({
      status: 200,
      body: 'api.test/path?q=1',
    });
    expect(asked).toEqual(['GET http://api.test/path?q=1']);
  });

  it('opens a tunnel for https, keeps it, and checks the certificate behind it', async () => {
    const { outgoing, asked } = await behindProxy({ 'api.test:443': echo }, 'me:secret');

    await expect(ask(outgoing, 'https://api.test/')).rejects.toThrow('self-signed certificate');
    trustEverybody();
    expect(await ask(outgoing, 'https://api.test/a')).toEqual({ status: 200, body: 'api.test/a' });
    expect(await ask(outgoing, 'https://api.test/b')).toEqual({ status: 200, body: 'api.test/b' });
    expect(asked).toEqual(['CONNECT api.test:443', 'CONNECT api.test:443']);
  });

  it('says that the proxy refused, or is not there', async () => {
    const { outgoing, url } = await behindProxy({});
    const { host } = new URL(url);

    await expect(ask(outgoing, 'https://other.test/')).rejects.toThrow(
      `the proxy ${host} refused to connect to other.test:443 (status 403)`,
    );
    const nowhere = createOutgoing({ all: 'http://127.0.0.1:9' });
    await expect(ask(nowhere, 'https://api.test/')).rejects.toThrow(
      'the proxy 127.0.0.1:9 could not be reached',
    );
  });

  it('carries a WebSocket', async () => {
    const { outgoing, asked } = await behindProxy({ 'socket.test:443': greeter });
    trustEverybody();
    const url = new URL('wss://socket.test/');
    const socket = new WebSocket(url, { agent: outgoing.agent(url) });
    onTestFinished(() => socket.terminate());

    const greeting = await new Promise((resolve, reject) => {
      socket.once('message', (data: Buffer) => resolve(data.toString()));
      socket.once('error', reject);
    });
    expect(greeting).toBe('hello');
    expect(asked).toEqual(['CONNECT socket.test:443']);
  });

  it('is what fetch makes, for http and https', async () => {
    const { outgoing, asked } = await behindProxy({ 'api.test:80': echo, 'api.test:443': echo }, 'me:secret');
    trustEverybody();
    const send = outgoingFetch(outgoing);

    expect(await (await send('http://api.test/a')).text()).toBe('api.test/a');
    expect(await (await send(new URL('https://api.test/b'), { method: 'POST', body: 'x' })).text()).toBe(
      'api.test/b',
    );
    expect(asked).toEqual(['GET http://api.test/a', 'CONNECT api.test:443']);
  });

  it('is not made for loopback [notes.network.proxy]', async () => {
    const { outgoing, asked } = await behindProxy({});
    const here = await serve(echo);

    expect((await ask(outgoing, `${here}/a`)).status).toBe(200);
    expect((await outgoingFetch(outgoing)(`${here}/a`)).status).toBe(200);
    expect(asked).toEqual([]);
  });
});

const echo: RequestListener = (request, response) => {
  response.end(`${request.headers.host}${request.url}`);
};

/** Marks a service that speaks WebSocket. */
const greeter = 'greeter';

async function behindProxy(
  hosts: Readonly<Record<string, RequestListener | typeof greeter>>,
  credentials?: string,
) {
  const routes: Record<string, string> = {};
  for (const [name, listener] of Object.entries(hosts)) routes[name] = await serve(listener);
  const options: ProxyStandInOptions = { routes, ...(credentials !== undefined && { credentials }) };
  const proxy = await startProxyStandIn(options);
  onTestFinished(() => proxy.close());
  const url = new URL(proxy.url);
  const [name = '', password = ''] = credentials?.split(':') ?? [];
  Object.assign(url, { username: encodeURIComponent(name), password: encodeURIComponent(password) });
  return { outgoing: createOutgoing({ all: url.href }), asked: proxy.asked, url: proxy.url };
}

async function serve(listener: RequestListener | typeof greeter): Promise<string> {
  const server = listener === greeter ? createServer() : createServer(listener);
  if (listener === greeter) {
    new WebSocketServer({ server }).on('connection', (socket) => socket.send('hello'));
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function ask(outgoing: Outgoing, url: string): Promise<{ status: number | undefined; body: string }> {
  return new Promise((resolve, reject) => {
    const request = outgoing.request(new URL(url), {});
    request.once('error', reject);
    request.once('response', (response) => {
      text(response).then((body) => resolve({ status: response.statusCode, body }), reject);
    });
    request.end();
  });
}

/** The proxy's certificates are its own. Node reads the variable for each connection. */
function trustEverybody(): void {
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
}
