// `parley doctor` finds what is broken and says how to fix it.
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { say } from '@parley/protocol';
import { startDiscordStandIn, startProxyStandIn, startTelegramStandIn } from '@parley/stand-ins';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Examined, type HealthCheck, ok } from '../../src/cli/checks/check.ts';
import { isNewEnough } from '../../src/cli/checks/programs.ts';
import { sandbox } from '../../src/cli/checks/sandbox.ts';
import { examine, type Result } from '../../src/cli/doctor.ts';
import { findSandbox } from '../../src/engines/claude-code/sandbox/find-sandbox.ts';
import { outdatedDatabase } from '../../src/stores/sqlite/store.ts';
import { configFolder } from '../config/config-folder.ts';
import { unpackSchema } from '../stores/schemas/old-database.ts';
import { type Ended, freshPlace, parley, silentNeighbor } from './parley-process.ts';

const anyPort = ['--port', '0'];

describe('parley doctor', () => {
  it('finds no problems in a fresh home, and leaves nothing behind', async () => {
    const { user, run } = freshPlace(parley);
    const { code, stdout, stderr } = await run(['doctor', ...anyPort]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^✓ Node +\d+\.\d+\.\d+$/m);
    expect(stdout).toMatch(/^✓ Database +\S+parley\.db is created on the first start$/m);
    expect(stdout).toMatch(/^✓ ripgrep +ripgrep \d+/m);
    expect(stdout).toMatch(/^✓ claude +\d+\.\d+\.\d+ .*claude$/m);
    expect(stdout).toMatch(/^[✓!] Sandbox +\w/m);
    // Not every machine has a sandbox.
    const hasSandbox = (await findSandbox('/usr/bin:/bin')).kind !== 'none';
    expect(stdout).toMatch(hasSandbox ? /\n\nEverything looks good\.\n$/ : /look at the warning above\.\n$/);
    expect(readdirSync(user)).toEqual([]);
  });

  it('opens the database of a home in use, and finds the running server', async () => {
    const { serve, run } = freshPlace(parley);
    const { url } = await serve();
    const results = findings(await run(['doctor', '--json', '--port', new URL(url).port]));
    expect(results).toContainEqual({
      check: 'Port',
      state: 'ok',
      detail: `Parley is already running at ${new URL(url).host}`,
    });
    expect(results.find(({ check }) => check === 'Database')?.detail).toMatch(/demo\/parley\.db$/);
    expect(results.filter(({ check, state }) => state !== 'ok' && check !== 'Sandbox')).toEqual([]);
  });

  it('leaves the tables of an older version to the next start [ops.doctor.read-only]', async () => {
    const { user, run } = freshPlace(parley);
    const file = join(user, '.parley', 'parley.db');
    mkdirSync(join(user, '.parley'), { mode: 0o700 });
    unpackSchema(17, file);
    const results = findings(await run(['doctor', '--json', ...anyPort], { PARLEY_DEMO: '0' }));
    expect(results).toContainEqual({
      check: 'Database',
      state: 'ok',
      detail: `${file}: the next start changes its tables`,
    });
    expect(results.filter(({ state }) => state === 'broken')).toEqual([]);
    expect(await outdatedDatabase({ file })).toBe(17);
    expect(readdirSync(join(user, '.parley'))).not.toContain('copies');
  });

  it('reports settings for people who are neither configured nor invited [team.settings.invited]', async () => {
    const { user, run } = freshPlace(parley);
    const config = join(user, 'parley.config.json');
    const claude = { terminalPeople: ['petra', 'bob'] };
    const more = [{ name: 'team', service: 'telegram', token: '1:x', allowFrom: ['1'], person: 'zed' }];
    writeFileSync(config, JSON.stringify({ claude, channels: { more } }));
    expect((await run(['people', 'invite', 'bob', '--config', config])).code).toBe(0);
    const results = findings(await run(['doctor', '--json', '--config', config, ...anyPort]));
    expect(results.filter(({ check }) => check === 'People')).toMatchObject([
      { state: 'warning', detail: 'channels.more names zed, who is not one of the people' },
    ]);
  });

  it('checks the configured MCP servers', async () => {
    const { user, run } = freshPlace(parley);
    const vault = fileURLToPath(new URL('../../../recipe-vault/dist/main.js', import.meta.url));
    const mcpServers = {
      mine: { command: process.execPath, args: [vault, '--database', join(user, 'mine.db')] },
      gone: { command: join(user, 'no-such-program') },
      off: { command: 'whatever', disabled: true },
    };
    const config = join(user, 'parley.config.json');
    writeFileSync(config, JSON.stringify({ mcpServers }));
    const results = findings(await run(['doctor', '--json', '--config', config, ...anyPort]));
    expect(results.filter(({ check }) => check === 'MCP servers')).toEqual([
      { check: 'MCP servers', state: 'ok', detail: 'mine: 5 tools' },
      expect.objectContaining({ state: 'warning', fix: 'Check mcpServers.gone in the configuration.' }),
    ]);
  });

  it('shows each bot by name and service, and checks its token [channels.session.per-bot] [channels.config.placeholders]', async () => {
    const { user, run } = freshPlace(parley);
    const telegram = await startTelegramStandIn();
    const discord = await startDiscordStandIn();
    onTestFinished(() => Promise.all([telegram.close(), discord.close()]).then(() => undefined));
    const of = (name: string, service: string, token: string, allowFrom: readonly string[] = ['1']) => ({
      name,
      service,
      token,
      allowFrom,
      apiRoot: service === 'telegram' ? telegram.url : discord.url,
      workspace: join(user, name),
    });
    const more = [
      of('study', 'discord', discord.token),
      of('wrong', 'telegram', '1:planted-secret'),
      of('gone', 'discord', 'planted-secret'),
      { ...of('far', 'telegram', '2:planted-secret'), apiRoot: 'http://127.0.0.1:9' },
    ];
    const config = join(user, 'parley.config.json');
    const summaryPrompt = { enabled: true, template: '{{request}} in {{workspace}}' };
    writeFileSync(config, JSON.stringify({ channels: { more }, summaryPrompt }));
    const ended = await run(['doctor', '--json', '--config', config, ...anyPort], {
      TELEGRAM_BOT_TOKEN: telegram.token,
      TELEGRAM_API_ROOT: telegram.url,
      DISCORD_BOT_TOKEN: 'unused',
      DISCORD_ENABLED: 'no',
    });
    expect(findings(ended).filter(({ check }) => check === 'Bots')).toMatchObject([
      {
        state: 'warning',
        detail: 'telegram (Telegram): nobody may use it yet',
        fix: expect.stringContaining('TELEGRAM_ALLOW_FROM'),
      },
      { state: 'ok', detail: 'discord (Discord): turned off' },
      { state: 'ok', detail: `study (Discord): works in ${join(user, 'study')}` },
      {
        state: 'warning',
        detail: 'wrong (Telegram): Telegram does not accept its token',
        fix: 'Correct the token of wrong in channels.more.',
      },
      { state: 'warning', detail: 'gone (Discord): Discord does not accept its token' },
      { state: 'warning', detail: 'far (Telegram): 127.0.0.1:9 could not be reached to check the token' },
      { state: 'warning', detail: 'summaryPrompt.template contains {{request}}, which Parley does not know' },
    ]);
    expect(ended.code).toBe(0);
    expect(ended.stdout + ended.stderr).not.toMatch(/planted-secret/);
    expect(ended.stdout + ended.stderr).not.toContain(telegram.token);
  });

  it('names folders whose configuration nobody trusts [code.trust.told]', async () => {
    const { user, run } = freshPlace(parley);
    const folder = join(user, 'project');
    mkdirSync(join(folder, '.claude'), { recursive: true });
    writeFileSync(join(folder, '.claude', 'settings.json'), JSON.stringify({ apiKeyHelper: 'x' }));
    const found = async (roots: string) => {
      const ended = await run(['doctor', '--json', ...anyPort], { PARLEY_WORK_ROOTS: roots });
      return findings(ended).filter(({ check }) => check === 'Work folders');
    };
    expect(await found(folder)).toMatchObject([
      { state: 'warning', detail: expect.stringContaining(`${folder} is not trusted: one thing`) },
    ]);
    expect(await found(join(folder, '.claude'))).toMatchObject([{ state: 'ok' }]);
  });

  it('reports a work root that does not exist', async () => {
    const { user, run } = freshPlace(parley);
    const gone = join(user, 'porject');
    const ended = await run(['doctor', '--json', ...anyPort], { PARLEY_WORK_ROOTS: gone });
    expect(findings(ended).filter(({ check }) => check === 'Work folders')).toEqual([
      {
        check: 'Work folders',
        state: 'warning',
        detail: `there is no folder ${gone}`,
        fix: 'Create it, or correct workRoots.',
      },
    ]);
  });

  it('shows how connections are routed, and reports a proxy that is not there [notes.network.proxy]', async () => {
    const { run } = freshPlace(parley);
    const proxy = await startProxyStandIn({ routes: { 'api.anthropic.com:443': 'http://127.0.0.1:9' } });
    onTestFinished(() => proxy.close());
    const { host } = new URL(proxy.url);
    const routes = async (variables: Readonly<Record<string, string>>) =>
      findings(
        await run(['doctor', '--json', ...anyPort], { ANTHROPIC_API_KEY: 'planted', ...variables }),
      ).filter(({ check }) => check === 'Network');

    expect(
      await routes({
        HTTPS_PROXY: `http://me:planted@${host}`,
        SEARXNG_URL: 'https://searx.lan',
        NO_PROXY: '.lan',
      }),
    ).toEqual([
      { check: 'Network', state: 'ok', detail: `through the proxy ${host}: api.anthropic.com, https pages` },
      { check: 'Network', state: 'ok', detail: 'without a proxy: searx.lan, http pages' },
    ]);
    expect(proxy.asked).toEqual(['CONNECT api.anthropic.com:443']);
    expect(await routes({ ALL_PROXY: 'http://127.0.0.1:9' })).toMatchObject([
      { state: 'warning', detail: expect.stringContaining("the proxy 127.0.0.1:9 can't be reached") },
    ]);
  });

  it('says how to fix each problem', async () => {
    const { user, run } = freshPlace(parley);
    const port = await silentNeighbor();
    const home = join(user, 'data');
    const vaults = join(user, 'vaults');
    mkdirSync(home, { mode: 0o755 });
    chmodSync(home, 0o755);
    writeFileSync(join(home, 'parley.db'), 'this is not a database, and long enough to be sure'.repeat(100));
    mkdirSync(join(vaults, 'anna'), { recursive: true });
    symlinkSync(tmpdir(), join(vaults, 'ben'));
    symlinkSync('anna', join(vaults, 'carl'));
    writeFileSync(join(vaults, 'dora'), '');
    symlinkSync('nowhere', join(vaults, 'emil'));
    const ended = await run(['doctor', '--json', '--port', String(port), '--home', home], {
      ANTHROPIC_API_KEY: 'planted-secret',
      ANTHROPIC_BASE_URL: 'http://127.0.0.1:9',
      PARLEY_PEOPLE: 'anna,ben,carl,dora,emil',
      PARLEY_VAULT_ROOT: vaults,
      PARLEY_CLAUDE_PATH: join(user, 'no-claude'),
      PARLEY_PROT: '1',
    });
    expect(ended.code).toBe(1);
    expect(ended.stdout + ended.stderr).not.toContain('planted-secret');
    const brief = findings(ended).map(({ check, state, detail }) => `${state} ${check}: ${detail}`);
    expect(brief).toEqual(
      expect.arrayContaining([
        'warning Configuration: Parley has no variable PARLEY_PROT. Did you mean PARLEY_PORT?',
        `warning Home: other users of this machine can read ${home}`,
        expect.stringMatching(/^broken Database: /),
        `ok Vaults: ${join(vaults, 'anna')}`,
        `broken Vaults: ${join(vaults, 'ben')} is a link that leads outside of the vaults`,
        `ok Vaults: ${join(vaults, 'carl')}`,
        `broken Vaults: ${join(vaults, 'dora')} is not a folder`,
        `broken Vaults: ${join(vaults, 'emil')} is a link that leads outside of the vaults`,
        `broken Port: another program is using 127.0.0.1:${port}`,
        'broken Model: nothing answers at 127.0.0.1:9',
        `broken claude: ${join(user, 'no-claude')} does not run: the file does not exist`,
      ]),
    );
    for (const result of findings(ended)) {
      expect(result.state === 'ok' ? 'nothing to fix' : result.fix).toMatch(/\w/);
    }
  });

  it.each([
    [200, 'ok', 'claude-sonnet-5-5 at HOST, which accepts the API key'],
    [401, 'broken', 'HOST does not accept the API key'],
    [404, 'warning', 'HOST does not have the model claude-sonnet-5-5'],
    [529, 'warning', 'HOST answered with status 529'],
  ] as const)('asks the API for the model: status %i is %s', async (status, state, detail) => {
    const asked: IncomingMessage[] = [];
    const api = createServer((request, response) => {
      asked.push(request);
      response.writeHead(status).end('{}');
    }).listen(0, '127.0.0.1');
    await once(api, 'listening');
    onTestFinished(() => void api.close());
    const host = `127.0.0.1:${(api.address() as AddressInfo).port}`;
    const ended = await freshPlace(parley).run(['doctor', '--json', ...anyPort], {
      ANTHROPIC_API_KEY: 'planted-secret',
      ANTHROPIC_BASE_URL: `http://${host}`,
    });
    expect(findings(ended).find(({ check }) => check === 'Model')).toMatchObject({
      state,
      detail: detail.replace('HOST', host),
    });
    expect(ended.code).toBe(state === 'broken' ? 1 : 0);
    expect(asked.map(({ method, url, headers }) => [method, url, headers['x-api-key']])).toEqual([
      ['GET', '/v1/models/claude-sonnet-5-5', 'planted-secret'],
    ]);
    expect(ended.stdout + ended.stderr).not.toContain('planted-secret');
  });

  it("doesn't send the key over an unencrypted connection", async () => {
    const ended = await freshPlace(parley).run(['doctor', '--json', ...anyPort], {
      ANTHROPIC_API_KEY: 'planted-secret',
      ANTHROPIC_BASE_URL: 'http://api.example',
    });
    expect(findings(ended)).toContainEqual({
      check: 'Model',
      state: 'warning',
      detail: 'the connection to api.example, and with it the API key, is not encrypted',
      fix: 'Use an https address.',
    });
  });

  it('reports the problems of the configuration and still checks the rest', async () => {
    const { code, stdout } = await freshPlace(parley).run(['doctor', '--port', 'x', '--host', '0.0.0.0']);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^✗ Configuration +port \(--port\): expected a number, found "x"\n +→ Use a free port/m,
    );
    expect(stdout).toMatch(/^✗ Configuration +host \(--host\): other machines could reach Parley/m);
    expect(stdout).toMatch(/^✓ ripgrep/m);
    expect(stdout).toMatch(/Parley can't start until you fix these 2 problems\.\n$/);
  });

  it('tries the sandbox, and says what is missing and how to get it [code.sandbox.doctor]', async () => {
    const { user, load } = configFolder();
    const look = async (script: string | undefined, environment: Record<string, string> = {}) => {
      if (script !== undefined) writeFileSync(join(user, 'bwrap'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
      const { config } = load({ environment });
      const examined = { config, environment: { PATH: user } } as unknown as Examined;
      return (await sandbox.run(examined))[0];
    };
    expect(await look(undefined)).toMatchObject({
      state: 'warning',
      detail: 'claude runs without one',
      fix: expect.stringContaining('apt install bubblewrap'),
    });
    expect(await look(undefined, { PARLEY_SANDBOX: 'required' })).toMatchObject({ state: 'broken' });
    expect(await look(undefined, { PARLEY_SANDBOX: 'off' })).toMatchObject({
      state: 'warning',
      detail: expect.stringContaining('turned off'),
    });
    expect(await look('echo "No permissions to create a namespace" >&2; exit 1')).toMatchObject({
      state: 'warning',
      detail: 'claude runs without one (No permissions to create a namespace)',
      fix: expect.stringContaining('user namespaces'),
    });
    expect(await look('exit 0')).toMatchObject({
      state: 'ok',
      detail: 'bubblewrap; the network stays open',
    });
  });

  it('prefers the claude program in PATH to the installed one', async () => {
    const { user, run } = freshPlace(parley);
    writeFileSync(join(user, 'claude'), '#!/bin/sh\necho 9.9.9 of "$ANTHROPIC_API_KEY$HOME"\n', {
      mode: 0o755,
    });
    const { stdout } = await run(['doctor', ...anyPort], {
      PATH: `${user}:/usr/bin:/bin`,
      ANTHROPIC_API_KEY: 'planted-secret',
      ANTHROPIC_BASE_URL: 'http://127.0.0.1:9',
    });
    expect(stdout).toContain(`9.9.9 of ${user}, ${join(user, 'claude')}`);
  });

  it('reports a claude program that is too old [driver.versions.too-old]', async () => {
    const { user, run } = freshPlace(parley);
    const program = join(user, 'cli.js');
    // Not executable: a script runs in the same Node.
    writeFileSync(program, `console.log('1.0.60 (Claude Code)');`);
    const { stdout } = await run(['doctor', ...anyPort], { PARLEY_CLAUDE_PATH: program });
    expect(stdout).toContain(`1.0.60 (Claude Code) at ${program} is too old, needs 1.0.63 or newer`);
  });

  it('knows which Node is new enough', () => {
    expect(['18.20.0', '20.18.9', '20.19.0', '20.20.2', '22.0.0'].map(isNewEnough)).toEqual([
      false,
      false,
      true,
      true,
      true,
    ]);
  });

  it('refuses texts for the app that are not marked for translation [team.app.language]', () => {
    const marked: HealthCheck = { name: say`Disk`, run: async () => [ok(say`${'1 GB'} free`)] };
    // @ts-expect-error: what a person reads in the app needs say`…`.
    const unmarked: HealthCheck = { name: say`Disk`, run: async () => [ok('1 GB free')] };
    expect(unmarked.name).toBe(marked.name);
  });

  it('counts a check that throws as broken and continues', async () => {
    const loaded = configFolder().load({});
    const results = await examine(loaded, [
      { name: 'Throws', run: () => Promise.reject(new Error('out of order')) },
      { name: 'Works', run: async () => [{ state: 'ok', detail: 'fine' }] },
    ]);
    expect(results).toEqual([
      {
        check: 'Throws',
        state: 'broken',
        detail: 'the check failed: out of order',
        fix: 'Fix the other problems first.',
      },
      { check: 'Works', state: 'ok', detail: 'fine' },
    ]);
  });

  it('reports a home that is not writable', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'parley-doctor-')), 'a-file');
    onTestFinished(() => rmSync(join(file, '..'), { recursive: true, force: true }));
    writeFileSync(file, '');
    const ended = await freshPlace(parley).run(['doctor', '--json', ...anyPort, '--home', file]);
    expect(findings(ended).filter(({ state }) => state === 'broken')).toContainEqual({
      check: 'Home',
      state: 'broken',
      detail: `${file} is not writable (ENOTDIR)`,
      fix: 'Give yourself permission to write there, or set PARLEY_HOME to another folder.',
    });
  });
});

function findings({ stdout }: Ended): readonly Result[] {
  return (JSON.parse(stdout) as { checks: readonly Result[] }).checks;
}
