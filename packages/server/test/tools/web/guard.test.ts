// Addresses that web_fetch must not reach, in every spelling that has been used in attacks.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { startProxyStandIn } from '@parley/stand-ins';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createOutgoing } from '../../../src/basics/outgoing.ts';
import { guardedConnector } from '../../../src/tools/web/guarded-connector.ts';
import { createGuardedFetch } from '../../../src/tools/web/guarded-fetch.ts';
import { isPublicAddress } from '../../../src/tools/web/public-address.ts';
import { WebHarness } from './harness.ts';

const forbidden = [
  // loopback, in every spelling
  'http://127.0.0.1/',
  'http://127.1/',
  'http://127.255.255.254/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0x7f.1/',
  'http://0177.0.0.1/',
  'http://017700000001/',
  'http://%31%32%37.0.0.1/',
  'http://１２７.0.0.1/',
  'http://localhost/',
  'http://localhost./',
  'http://LOCALHOST/',
  'http://[::1]/',
  'http://[0:0:0:0:0:0:0:1]/',
  // unspecified
  'http://0.0.0.0/',
  'http://0/',
  'http://[::]/',
  // private
  'http://10.0.0.1/',
  'http://10.255.255.255/',
  'http://172.16.0.1/',
  'http://172.31.255.255/',
  'http://192.168.0.1/',
  'http://192.168.1/',
  'http://3232235777/',
  'http://[fc00::1]/',
  'http://[fd12:3456:789a::1]/',
  // link-local and metadata
  'http://169.254.0.1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://2852039166/',
  'http://0xa9fea9fe/',
  'http://0251.0376.0251.0376/',
  'http://100.100.100.200/',
  'http://168.63.129.16/',
  'http://192.0.0.192/',
  'http://[fe80::1]/',
  'http://[fd00:ec2::254]/',
  // carrier-grade NAT, benchmarks, documentation, reserved, multicast, broadcast
  'http://100.64.0.1/',
  'http://100.127.255.255/',
  'http://198.18.0.1/',
  'http://198.19.255.255/',
  'http://192.0.2.1/',
  'http://198.51.100.1/',
  'http://203.0.113.1/',
  'http://192.88.99.1/',
  'http://224.0.0.1/',
  'http://239.255.255.250/',
  'http://240.0.0.1/',
  'http://255.255.255.255/',
  'http://[ff02::1]/',
  'http://[2001:db8::1]/',
  'http://[3fff::1]/',
  'http://[100::1]/',
  'http://[5f00::1]/',
  // IPv4 inside IPv6: mapped, compatible, translated, NAT64, 6to4, Teredo
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[::ffff:8.8.8.8]/',
  'http://[0:0:0:0:0:ffff:a9fe:a9fe]/',
  'http://[::127.0.0.1]/',
  'http://[::ffff:0:127.0.0.1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[64:ff9b::169.254.169.254]/',
  'http://[64:ff9b:1::7f00:1]/',
  'http://[2002:7f00:1::]/',
  'http://[2002:a9fe:a9fe::1]/',
  'http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/',
] as const;

const never = () => Promise.reject(new Error('a literal address is not looked up'));

const anInterface = { mac: '00:00:00:00:00:00', internal: false, netmask: '' };
/** A rented server: public addresses on its own interfaces. */
const publicMachine: ReturnType<typeof networkInterfaces> = {
  lo: [{ ...anInterface, family: 'IPv6', address: '::1', cidr: '::1/128', scopeid: 0 }],
  eth0: [
    { ...anInterface, family: 'IPv4', address: '93.184.215.14', cidr: '93.184.215.14/24' },
    {
      ...anInterface,
      family: 'IPv6',
      address: '2606:2800:21f:cb07:6820:80da:af6b:8b2c',
      cidr: '2606:2800:21f:cb07:6820:80da:af6b:8b2c/64',
      scopeid: 0,
    },
    { ...anInterface, family: 'IPv6', address: 'fe80::1', cidr: null, scopeid: 2 },
  ],
  dhcp: [
    { ...anInterface, family: 'IPv6', address: '2a01:4f8:1:2::5', cidr: '2a01:4f8:1:2::5/128', scopeid: 0 },
  ],
  tun0: [{ ...anInterface, family: 'IPv6', address: '2a00:1:2:3::4', cidr: '2a00:1:2:3::4/0', scopeid: 0 }],
};

describe('the guard', () => {
  it.each(forbidden)('refuses %s [notes.tools.web-fetch-guard]', async (url) => {
    await using web = await WebHarness.start();

    expect(await web.refusal('web_fetch', { url })).toContain('is not on the public Internet');
    expect(await web.refusal('web_fetch', { url: url.replace('http:', 'https:') })).toContain(
      'is not on the public Internet',
    );
  });

  it.each(forbidden)('refuses a redirect to %s [notes.tools.web-fetch-guard]', async (url) => {
    await using web = await WebHarness.start();

    const sentence = await web.fetchRefusal(`/odd/redirect?to=${encodeURIComponent(url)}`);

    expect(sentence).toContain('is not on the public Internet');
  });

  it.each([
    ['file:///etc/passwd', 'Only http and https'],
    ['ftp://example.org/', 'Only http and https'],
    ['gopher://example.org/', 'Only http and https'],
    ['data:text/html,hello', 'Only http and https'],
    ['javascript:alert(1)', 'Only http and https'],
    ['http://user:secret@example.org/', 'user name or password'],
    ['http://user@example.org/', 'user name or password'],
    ['http://example.org:22/', 'Port 22'],
    ['http://example.org:6379/', 'Port 6379'],
    ['http://256.256.256.256/', 'not a web address'],
    ['http://[fe80::1%25eth0]/', 'not a web address'],
    ['//example.org/', 'not a web address'],
    ['example.org', 'not a web address'],
    [`https://example.org/${'a'.repeat(2_000)}`, 'too long'],
  ])('refuses %s, even behind a redirect [notes.tools.web-fetch-guard]', async (url, reason) => {
    await using web = await WebHarness.start();

    expect(await web.refusal('web_fetch', { url })).toContain(reason);
    if (url.startsWith('//') || url === 'example.org' || url.length > 1_000) return;
    expect(await web.fetchRefusal(`/odd/redirect?to=${encodeURIComponent(url)}`)).toContain(reason);
  });

  it.each([301, 302, 303, 307, 308])('checks a redirect with status %s again', async (status) => {
    await using web = await WebHarness.start();
    const to = encodeURIComponent('http://169.254.169.254/');

    expect(await web.fetchRefusal(`/odd/redirect?status=${status}&to=${to}`)).toContain(
      '169.254.169.254 is not',
    );
  });

  it.each([
    ['only a private address', ['10.1.2.3']],
    ['a public and a private address', ['93.184.215.14', '192.168.1.10']],
    ['a public IPv4 and a local IPv6 address', ['93.184.215.14', '::1']],
    ['a private IPv4 and a public IPv6 address', ['127.0.0.1', '2606:2800:21f:cb07:6820:80da:af6b:8b2c']],
    ['a mapped address', ['::ffff:127.0.0.1']],
    ['no address', []],
    ['a name in place of an address', ['localhost']],
  ])('refuses a name that leads to %s [notes.tools.web-fetch-guard]', async (_, addresses) => {
    await using web = await WebHarness.start(() => ({ lookup: () => Promise.resolve(addresses) }));

    expect(await web.refusal('web_fetch', { url: 'https://rebinding.example.org/' })).toBe(
      'rebinding.example.org is not on the public Internet. Addresses of this machine and its network are never fetched.',
    );
  });

  it.each([
    ['its IPv4 address', '93.184.215.14'],
    ['its IPv6 address', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'],
    ['a neighbor in its IPv6 network', '2606:2800:21f:cb07::1'],
    ['a neighbor of an address that was assigned alone', '2a01:4f8:1:2:ffff::7'],
  ])('refuses %s of this machine, even if public [notes.tools.web-fetch-own-addresses]', async (_, own) => {
    const lookup = () => Promise.resolve([own]);
    await using web = await WebHarness.start(() => ({ lookup, interfaces: () => publicMachine }));
    const literal = own.includes(':') ? `[${own}]` : own;
    const refused =
      'is not on the public Internet. Addresses of this machine and its network are never fetched.';

    expect(isPublicAddress(own)).toBe(true);
    expect(await web.refusal('web_fetch', { url: `http://${literal}:8080/` })).toBe(`${own} ${refused}`);
    expect(await web.refusal('web_fetch', { url: 'http://me.example.org/' })).toBe(
      `me.example.org ${refused}`,
    );
  });

  it.each([
    ['a neighbor in its IPv4 network', '93.184.215.15'],
    ['the network next to its own', '2606:2800:21f:cb08::1'],
    ['the other side of a tunnel to everywhere', '2a02:ec80::1'],
  ])('lets %s through to the connection', async (_, address) => {
    const connected: string[] = [];
    const open = guardedConnector({
      connect: ({ hostname }, report) => {
        connected.push(hostname);
        report(new Error('not in a test'), null);
      },
      exceptions: new Set(),
      lookup: never,
      interfaces: () => publicMachine,
    });

    await new Promise<void>((resolve) => {
      open({ hostname: address, protocol: 'http:', port: '80' }, () => resolve());
    });

    expect(connected).toEqual([address]);
  });

  it('resolves a name once per connection, and connects to that address', async () => {
    const asked: string[] = [];
    await using web = await WebHarness.start((site) => ({
      exceptions: [`pages.example.org:${new URL(site.url).port}`],
      lookup: (name) => {
        asked.push(name);
        return Promise.resolve(['127.0.0.1']);
      },
    }));
    const port = new URL(web.site.url).port;

    expect(await web.call('web_fetch', { url: `http://pages.example.org:${port}/odd/json` })).toContain('42');
    expect(asked).toEqual(['pages.example.org']);
  });

  it('allows exceptions only by exact host and port', async () => {
    await using web = await WebHarness.start();
    const port = Number(new URL(web.site.url).port);

    expect(await web.refusal('web_fetch', { url: `http://127.0.0.1:${port + 1}/` })).toContain(
      `Port ${port + 1}`,
    );
    expect(await web.refusal('web_fetch', { url: `http://localhost:${port}/` })).toContain(`Port ${port}`);
    expect(web.site.requests).toEqual([]);
  });

  it('opens no connection to a refused address', async () => {
    let connections = 0;
    const server = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    // The port is allowed; the address behind the name is not.
    const send = createGuardedFetch({ lookup: () => Promise.resolve(['127.0.0.1']) });

    await expect(
      send({ url: 'http://rebinding.example.org:8080/', signal: new AbortController().signal }),
    ).rejects.toThrow('is not on the public Internet');
    await expect(
      send({ url: `http://127.0.0.1:${port}/`, signal: new AbortController().signal }),
    ).rejects.toThrow(`Port ${port}`);
    server.close();

    expect(connections).toBe(0);
  });

  it('sends keys within one origin, but not after a redirect to another', async () => {
    await using web = await WebHarness.start();
    const { port, host } = new URL(web.site.url);
    const other = `pages.example.org:${port}`;
    const send = createGuardedFetch({
      exceptions: [host, other],
      lookup: () => Promise.resolve(['127.0.0.1']),
    });
    const headersSeen = async (to: string) => {
      const url = `${web.site.url}/odd/redirect?to=${encodeURIComponent(to)}`;
      const headers = { accept: 'text/plain', authorization: 'Bearer t0ken', 'x-subscription-token': 'k3y' };
      const { body } = await send({ url, headers, signal: new AbortController().signal });
      return JSON.parse(new TextDecoder().decode(body)) as Record<string, string>;
    };

    expect(await headersSeen('/odd/headers')).toMatchObject({
      authorization: 'Bearer t0ken',
      'x-subscription-token': 'k3y',
    });
    const elsewhere = await headersSeen(`http://${other}/odd/headers`);
    expect(elsewhere).toMatchObject({ host: other, accept: 'text/plain' });
    expect(Object.values(elsewhere).join()).not.toMatch(/t0ken|k3y/);
  });

  it('checks where the socket is really connected, whatever address was requested', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    const open = guardedConnector({
      connect: (_target, tell) => tell(null, socket),
      exceptions: new Set(),
      lookup: never,
      interfaces: networkInterfaces,
    });

    const failure = await new Promise<Error | null>((resolve) => {
      open({ hostname: '93.184.215.14', protocol: 'http:', port: '80' }, (...[error]) => resolve(error));
    });
    server.close();

    expect(failure?.message).toContain('is not on the public Internet');
    expect(socket.destroyed).toBe(true);
  });

  describe('through a proxy', () => {
    const page = (url: string) => ({ url, signal: new AbortController().signal });

    it('refuses names that lead inside before the proxy hears of them [notes.network.proxy-guard]', async () => {
      await using web = await WebHarness.start();
      const { proxy, outgoing } = await proxyTo({ 'inside.test:80': web.site.url });
      const send = createGuardedFetch({
        outgoing,
        lookup: () => Promise.resolve(['93.184.215.14', '10.0.0.7']),
      });

      for (const url of [
        'http://inside.test/',
        'http://10.0.0.7/',
        'http://[fd00::7]/',
        'http://2130706433/',
      ]) {
        await expect(send(page(url))).rejects.toThrow('is not on the public Internet');
      }
      expect(proxy.asked).toEqual([]);
    });

    it('checks every redirect [notes.network.proxy-guard]', async () => {
      await using web = await WebHarness.start();
      const { proxy, outgoing } = await proxyTo({
        'page.test:80': web.site.url,
        'inside.test:80': web.site.url,
      });
      const lookup = (host: string) =>
        Promise.resolve([host === 'page.test' ? '93.184.215.14' : '192.168.1.1']);
      const send = createGuardedFetch({ outgoing, lookup });

      const to = encodeURIComponent('http://inside.test/');
      await expect(send(page(`http://page.test/odd/redirect?to=${to}`))).rejects.toThrow(
        'inside.test is not on the public Internet',
      );
      expect(proxy.asked).toEqual([`GET http://page.test/odd/redirect?to=${to}`]);
    });

    it('leaves names that only the proxy can resolve to the proxy, and says that it refused', async () => {
      await using web = await WebHarness.start();
      const { proxy, outgoing } = await proxyTo({ 'page.test:80': web.site.url });
      const send = createGuardedFetch({
        outgoing,
        lookup: () => Promise.reject(new Error('no name server')),
      });

      expect((await send(page('http://page.test/'))).status).toBe(200);
      expect((await send(page('http://other.test/'))).status).toBe(403);
      await expect(send(page('https://other.test/'))).rejects.toThrow(
        `other.test could not be reached through the proxy ${new URL(proxy.url).host}`,
      );
    });
  });

  it('does not resolve what is already an address', async () => {
    const send = createGuardedFetch({ lookup: never });

    await expect(
      send({ url: 'http://[::ffff:7f00:1]/', signal: new AbortController().signal }),
    ).rejects.toThrow('is not on the public Internet');
  });

  it.each(['8.8.8.8', '93.184.215.14', '172.15.0.1', '172.32.0.1', '100.63.255.255', '2606:4700::1'])(
    'treats %s as public',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );
});

async function proxyTo(routes: Readonly<Record<string, string>>) {
  const proxy = await startProxyStandIn({ routes });
  onTestFinished(() => proxy.close());
  return { proxy, outgoing: createOutgoing({ all: proxy.url }) };
}
