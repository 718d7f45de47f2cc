// `npm run pack` makes a file that installs on a machine that has nothing but Node: in an empty folder, with an empty home
// and an empty cache. What npm downloads comes from a registry on loopback. With PARLEY_LONG=1 that includes the `claude`
// program, which is five times as large as everything else.
import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshPlace } from '../packages/server/test/cli/parley-process.ts';
import { startNpmRegistry } from './support/npm-registry.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..');
/** Packing and installing takes seconds on an idle machine, and much longer on a busy one. */
const setupMs = 600_000;
const withClaude = process.env['PARLEY_LONG'] === '1';
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const main = 'node_modules/parley/server/dist/main.js';

describe('the packed server', () => {
  let machine: string;
  let tarball: string;
  let installed: string;
  let address: string;
  beforeAll(async () => {
    machine = mkdtempSync(join(tmpdir(), 'parley-install-'));
    const { stdout } = await run(process.execPath, ['scripts/pack.mjs', '--built', '--into', machine], {
      cwd: root,
    });
    tarball = stdout.trim().split('\n').at(-1) ?? '';
    await using registry = await startNpmRegistry(
      root,
      (name) => withClaude || !name.startsWith('@anthropic-ai/'),
    );
    address = registry.url;
    installed = emptyFolder();
    await npm(installed, ['install', '--no-audit', '--ignore-scripts', tarball]);
  }, setupMs);
  afterAll(() => rmSync(machine, { recursive: true, force: true }));

  it('brings few packages, and none that runs a script to install itself [team.ship.small]', async () => {
    const folder = join(installed, 'node_modules');
    const manifests = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
      /^((.*\/)?node_modules\/)?(@[^/]+\/)?[^/@]+\/package\.json$/.test(file),
    );
    expect(manifests.length).toBeLessThan(250);
    const megabytes = sizeOf(folder, (file) => !file.includes('@anthropic-ai')) / 1e6;
    expect(megabytes).toBeLessThan(120);
    const { stdout } = await npm(installed, [
      'query',
      ':attr(scripts, [postinstall]), :attr(scripts, [install])',
    ]);
    expect(JSON.parse(stdout)).toEqual([]);
  });

  it('has the files to run it as a service or in containers, and links that lead somewhere [team.ship.install]', async () => {
    const folder = join(installed, 'node_modules/parley');
    const { stdout } = await run('git', ['ls-files', 'deploy'], { cwd: root });
    const files = stdout
      .trim()
      .split('\n')
      .filter((file) => file !== 'deploy/README.md');
    expect(
      readdirSync(join(folder, 'deploy'))
        .map((name) => `deploy/${name}`)
        .sort(),
    ).toEqual(files.sort());
    for (const file of files)
      expect(readFileSync(join(folder, file), 'utf8')).toBe(readFileSync(join(root, file), 'utf8'));
    const readme = readFileSync(join(folder, 'README.md'), 'utf8');
    const linked = [...readme.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, path = '']) => path);
    expect(linked.length).toBeGreaterThan(5);
    expect(linked.filter((path) => !existsSync(join(folder, path)))).toEqual([]);
  });

  it('starts in demo mode without arguments, with the app, the notes and the recipes [team.ship.install]', async () => {
    const { serve } = freshPlace(join(installed, main));
    const { url, program } = await serve();
    const [, key = ''] = /X-API-Key: (\S+)'/.exec(program.stderr) ?? [];
    const headers = { 'X-API-Key': key, 'X-Notes-Person': 'sebastian', 'Content-Type': 'application/json' };
    const ask = async (path: string, message: string) => {
      const body = JSON.stringify({ message });
      return (await fetch(url + path, { method: 'POST', headers, body })).text();
    };
    expect(await ask('/api/claude/chat', 'What is on my shopping list?')).toContain('oat milk');
    expect(await ask('/api/chat', 'Which recipes do you have?')).toContain('list_recipes');
    const page = await (await fetch(`${url}/`, { headers })).text();
    const [, script = ''] = /href="([^"]+\/start-[^"]+\.js)"/.exec(page) ?? [];
    const served = await fetch(new URL(script, url), { headers });
    expect({ type: served.headers.get('content-type'), size: (await served.text()).length }).toEqual({
      type: expect.stringContaining('javascript'),
      size: expect.toSatisfy((size: number) => size > 100_000),
    });
    const isHealthy = healthCheck(url);
    await isHealthy();
    expect(await program.stop()).toMatchObject({ code: 0 });
    await expect(isHealthy()).rejects.toMatchObject({ code: 1 });
  });

  it('installs and runs with npx without a network, from the cache [team.ship.offline]', async () => {
    const folder = emptyFolder();
    cpSync(tarball, join(folder, basename(tarball)));
    const { stdout } = await npm(folder, [
      'exec',
      '--offline',
      '--yes',
      `./${basename(tarball)}`,
      '--',
      '--version',
    ]);
    expect(stdout).toBe(`${version}\n`);
  });

  it.runIf(withClaude)('finds the claude program that npm installed with it', async () => {
    const { run: command } = freshPlace(join(installed, main));
    expect((await command(['doctor'])).stdout).toMatch(/claude .*Claude Code/);
  });

  function emptyFolder(): string {
    return mkdtempSync(join(machine, 'folder-'));
  }

  /** Shares only the program with the npm that runs the tests, and no settings. */
  function npm(cwd: string, args: readonly string[]) {
    const home = join(machine, 'home');
    mkdirSync(home, { recursive: true });
    const env = { HOME: home, PATH: process.env['PATH'], npm_config_registry: address };
    return run('npm', args, { cwd, env, maxBuffer: 16 * 1024 * 1024 });
  }
});

describe('the deployment examples', () => {
  it('start the program where an installation puts it', () => {
    expect(read('Dockerfile')).toContain(`CMD ["node", "/opt/parley/${main}"]`);
    expect(read('Dockerfile')).toContain('npm install --prefix /opt/parley');
    expect(read('Dockerfile')).toContain('ln -s /opt/parley/node_modules/.bin/parley /usr/local/bin/parley');
    expect(read('parley.service')).toContain('ExecStart=/usr/bin/env parley serve');
    expect(read('org.parley.server.plist')).toContain('exec parley serve');
  });

  it('copy only what may enter the image', () => {
    const copied = [...read('Dockerfile').matchAll(/^COPY (?!--from)(\S+)/gm)].map(([, name]) => name);
    const allowed = [...read('.dockerignore').matchAll(/^!(.+)$/gm)].map(([, name]) => name);
    expect(copied).toEqual(allowed);
  });
});

/** What the image runs to find out whether its server is healthy. */
function healthCheck(url: string) {
  const [, list = ''] = /HEALTHCHECK[^[]*CMD (\[.*\])/.exec(read('Dockerfile')) ?? [];
  const [, flag = '', script = ''] = JSON.parse(list) as string[];
  return () => run(process.execPath, [flag, script.replace('http://127.0.0.1:4710', url)]);
}

function read(file: string): string {
  return readFileSync(join(root, 'deploy', file), 'utf8');
}

function sizeOf(folder: string, counts: (file: string) => boolean): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && counts(join(entry.parentPath, entry.name)))
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
