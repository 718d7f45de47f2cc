// The examples in deploy/ fit the server: its port, its settings, its limits, and the path at which proxies ask.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadConfig } from '../../src/config/load.ts';
import { rawRequest, startDoor } from '../doors/http/door-harness.ts';

const read = (name: string) => readFileSync(new URL(`../../../../deploy/${name}`, import.meta.url), 'utf8');
const folders = { user: '/nowhere', current: '/nowhere' };
const defaults = loadConfig({ environment: {}, flags: {}, folders }).config;

interface Service {
  readonly environment: Readonly<Record<string, string>>;
  readonly healthcheck: { readonly test: readonly string[] };
  readonly stop_grace_period: string;
  readonly volumes: readonly string[];
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly networks: {
    readonly default: { readonly ipam: { readonly config: readonly { subnet: string }[] } };
  };
}

const compose = parse(read('compose.yaml'), { merge: true }) as Compose;
const servers = Object.entries(compose.services).filter(([name]) => name.startsWith('parley-'));
const addresses = servers.map(([name]) => `${name}:${defaults.port}`);

/** What compose makes of `${NAME:?message}` and `${NAME:-default}` with a filled in file. */
function filled(value: string): string {
  const given = Object.fromEntries(
    read('example.env')
      .split('\n')
      .flatMap((line) => (/^[A-Z_]+=/.test(line) ? [line.split('=')] : [])),
  ) as Record<string, string>;
  return value.replaceAll(/\$\{([A-Z_]+):[?-][^}]*\}/g, (_, name: string) => {
    expect(Object.keys(given)).toContain(name);
    return given[name] || (name === 'ANTHROPIC_API_KEY' ? '' : `a-long-secret-for-${name}`);
  });
}

/** Each line of a file with blocks in braces, as words, without comments. */
function directives(text: string): readonly (readonly string[])[] {
  const lines = text.split('\n').map((line) =>
    line
      .replace(/^\s*#.*/, '')
      .replace(/;\s*$/, '')
      .trim(),
  );
  return lines.filter((line) => line !== '').map((line) => line.split(/\s+/));
}

describe('the examples in deploy/', () => {
  it('give every server settings that it accepts, an address that the others reach, and time to stop [cluster.deploy]', () => {
    expect(servers).toHaveLength(3);
    for (const [name, { environment, healthcheck, stop_grace_period: grace, volumes }] of servers) {
      const variables = Object.fromEntries(
        Object.entries(environment).map(([key, value]) => [key, filled(value)]),
      );
      const image = {
        PARLEY_HOME: '/nowhere/data',
        PARLEY_VAULT_ROOT: '/nowhere/notes',
        PARLEY_HOST: '0.0.0.0',
      };
      const { config, problems } = loadConfig({
        environment: { ...image, ...variables },
        flags: {},
        folders,
      });
      expect(problems).toEqual([]);
      expect(config.serverUrl).toBe(`http://${name}:${defaults.port}`);
      expect(config.publicHosts).toEqual(['parley.example.org']);
      expect(config.people).toEqual(['sebastian', 'petra']);
      expect(config.trustedProxies).toEqual([compose.networks.default.ipam.config[0]?.subnet]);
      expect(config.clusterSecret?.reveal()).toMatch(/PARLEY_CLUSTER_SECRET/);
      expect(healthcheck.test.join(' ')).toContain(`127.0.0.1:${defaults.port}/readyz`);
      expect(Number.parseInt(grace, 10)).toBeGreaterThan(defaults.limits.shutdownSeconds);
      // Its own home, and shared notes.
      expect(volumes).toEqual([`${name.replace('parley', 'data')}:/data`, 'notes:/notes']);
    }
    for (const name of ['PARLEY_HOME=/data', 'PARLEY_VAULT_ROOT=/notes', `EXPOSE ${defaults.port}`])
      expect(read('Dockerfile')).toContain(name);
  });

  it('let Caddy and nginx use all servers, and ask them as they want to be asked [cluster.deploy]', async () => {
    const caddy = directives(read('Caddyfile'));
    const nginx = directives(read('nginx.conf'));
    for (const text of [caddy, nginx]) {
      const depth = text.flat().reduce((sum, word) => sum + Number(word === '{') - Number(word === '}'), 0);
      expect(depth).toBe(0);
    }
    expect(caddy).toContainEqual(['reverse_proxy', ...addresses, '{']);
    expect(nginx.filter(([first]) => first === 'server').map(([, address]) => address)).toEqual([
      ...addresses,
      '{',
    ]);
    // Events and uploads pass, and streams with only pings don't time out.
    expect(caddy).toContainEqual(['flush_interval', '-1']);
    expect(nginx).toContainEqual(['proxy_buffering', 'off']);
    const value = (name: string) => Number.parseInt(nginx.find(([first]) => first === name)?.[1] ?? '', 10);
    expect(value('client_max_body_size') * 1024 * 1024).toBeGreaterThanOrEqual(defaults.limits.bodyBytes);
    expect(value('proxy_read_timeout')).toBeGreaterThan(60);
    for (const header of ['Host', 'Upgrade', 'Connection', 'X-Forwarded-For', 'X-Forwarded-Proto'])
      expect(nginx.some(([first, name]) => first === 'proxy_set_header' && name === header)).toBe(true);

    const path = caddy.find(([first]) => first === 'health_uri')?.[1] ?? '';
    const host = caddy.find(([first]) => first === 'Host')?.[1] ?? '';
    let isReady = true;
    const door = await startDoor({ isReady: () => isReady });
    const ask = async (name: string) =>
      (await rawRequest(`${door.url}${path}`, { headers: { host: name } })).status;
    expect(await ask(host)).toBe(200);
    isReady = false;
    expect(await ask(host)).toBe(503);
    // That is why the health check needs a name of its own.
    expect(await ask('parley-1')).toBe(403);
    await door.stop();
  });
});
