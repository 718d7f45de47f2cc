// When something goes wrong: the level of the log while a server runs, and a report without secrets.
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { type AuditEntry, LogLevelState, SupportReport } from '@parley/protocol';
import { httpError, reply } from '@parley/stand-ins';
import { describe, expect, it, onTestFinished } from 'vitest';
import { supportReport } from '../../src/app/support-report.ts';
import { freshPlace, parley } from '../cli/parley-process.ts';
import { configFolder } from '../config/config-folder.ts';
import { eventually, settingsHouse } from './settings-house.ts';

/** In every place where somebody may have put a secret. */
const canary = 'canary-4f9d21';
const tellsItsSecrets = 'console.error(process.env.CANARY, process.argv.join(" ")); process.exit(1)';

async function houseOfSecrets() {
  const house = await settingsHouse({
    familyPassword: `${canary}-password`,
    clusterSecret: `${canary}-of-the-cluster-of-servers`,
    web: { search: 'brave', brave: { apiKey: `${canary}-brave` } },
    linkedin: {
      clientId: 'house',
      clientSecret: `${canary}-linkedin`,
      accounts: [{ person: 'anna', accessToken: `${canary}-token` }],
    },
    openid: {
      issuer: 'https://login.example',
      clientId: `${canary}-client`,
      clientSecret: `${canary}-openid`,
    },
    assistants: [{ name: 'diary', extends: 'notes', systemPrompt: `${canary}: what nobody else knows` }],
    mcpServers: {
      talker: {
        command: process.execPath,
        args: ['-e', tellsItsSecrets, '--token', `${canary}-argument`],
        env: { CANARY: `${canary}-variable` },
      },
      away: { url: 'http://127.0.0.1:9/mcp', headers: { authorization: `Bearer ${canary}-header` } },
    },
    channels: {
      telegram: {
        enabled: true,
        token: `123456789:${canary}-telegram`,
        apiRoot: 'http://127.0.0.1:9',
        allowFrom: ['1'],
      },
    },
    proxy: { https: `http://petra:${canary}-proxy@proxy.example:3128` },
    log: { level: 'info' },
    summaryPrompt: { template: `${canary} {{message}}` },
  });
  return { ...house, server: await house.start() };
}

it('keeps paths readable if the home of the user is the root folder', () => {
  const { findings } = supportReport({
    now: 0,
    version: '1.0.0',
    node: '20.19.0',
    platform: 'linux',
    database: { kind: 'sqlite', schemaVersion: 1 },
    people: 1,
    bytes: {},
    metrics: '',
    startedAt: undefined,
    loaded: configFolder().load({}),
    findings: [{ check: 'Home', state: 'ok', detail: '/data/parley', fix: null }],
    lines: [],
    userHome: '/',
  });
  expect(findings[0]?.detail).toBe('/data/parley');
});

describe('a support report', { timeout: 240_000 }, () => {
  it('has what somebody needs to help, and no secret from any place [ops.support.no-secrets] [ops.support.command]', async () => {
    const { server, place, anthropic, run } = await houseOfSecrets();
    // A service that quotes the prompt, and an address with a secret in it.
    const quote = `not this: ${canary} in a prompt`;
    anthropic.script(() => true).always(() => httpError(400, 'invalid_request_error', quote));
    await server.chat(`${canary} in a prompt`);
    await server.program.says(/"msg":"turn"/);
    await server.request('GET', `/login/openid/callback?code=${canary}-code&state=x`);
    await server.request('POST', `/api/claude/chat?key=${canary}-query`, { message: 7, [canary]: canary });

    const overHttp = await (await server.request('GET', '/api/support')).text();
    const written = await run(['support', '--to', 'report.json']);
    expect(written).toMatchObject({ code: 0, stderr: '' });
    const file = join(place.user, 'report.json');
    const fromCommand = readFileSync(file, 'utf8');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    for (const text of [overHttp, fromCommand]) {
      expect(text).not.toContain(canary);
      expect(text).not.toContain(place.user);
    }

    const reports = [overHttp, fromCommand].map((text) => SupportReport.parse(JSON.parse(text)));
    for (const report of reports) {
      const settings = new Map(report.settings.map(({ key, value, from }) => [key, { value, from }]));
      expect(settings.get('log.level')).toEqual({ value: 'info', from: 'file' });
      expect(settings.get('familyPassword')).toEqual({ value: 'set', from: 'file' });
      expect(settings.get('mcpServers')).toEqual({ value: '2 set', from: 'file' });
      expect(settings.get('database.url')).toEqual({ value: null, from: 'default' });
      expect(report.log).toContainEqual(
        expect.objectContaining({ msg: 'turn', outcome: 'failed', door: 'programs', engine: 'messages-api' }),
      );
      expect(report.metrics).toMatch(/^parley_turns_total\{.*outcome="failed".*\} 1$/m);
      expect(report.bytes['parley.db']).toBeGreaterThan(0);
      expect(report).toMatchObject({ people: 2, demo: false, database: { kind: 'sqlite' } });
      expect(report.findings.length).toBeGreaterThan(5);
    }
    const checks = reports.map(({ findings }) => new Set(findings.map(({ check }) => check)));
    expect([checks[0]?.has('Network'), checks[1]?.has('Network')]).toEqual([false, true]);
    expect((await run(['support', '--to', 'report.json'])).stderr).toContain('already exists');

    await server.program.stop();
    const alone = await run(['support', '--to', 'alone.json']);
    expect(alone.stdout).toContain('No server is running');
    const text = readFileSync(join(place.user, 'alone.json'), 'utf8');
    expect(text).not.toContain(canary);
    expect(SupportReport.parse(JSON.parse(text))).toMatchObject({ startedAt: null, log: [], metrics: '' });
  });
});

describe('a server that does not answer', () => {
  it('leaves a report without its log lines, and an explanation in the terminal', async () => {
    const { user, run } = freshPlace(parley);
    const folder = join(user, '.parley', 'demo');
    mkdirSync(folder, { recursive: true });
    const server = createServer((socket) => void socket.end());
    server.listen(join(folder, 'control.sock'));
    onTestFinished(() => void server.close());

    const level = await run(['log-level', 'debug']);
    expect(level.code).toBe(1);
    expect(level.stderr).toMatch(/^parley: The server that uses .*demo does not answer\./);
    const written = await run(['support', '--to', 'report.json']);
    expect(written).toMatchObject({
      code: 0,
      stderr: `parley: this is the data of the demo, in ${folder}\n`,
    });
    expect(written.stdout).toContain('The running server does not answer');
    const report = SupportReport.parse(JSON.parse(readFileSync(join(user, 'report.json'), 'utf8')));
    expect(report).toMatchObject({ startedAt: null, log: [] });
  });
});

describe('the log level', { timeout: 240_000 }, () => {
  it('changes while the server runs, from the app and from the terminal, and is back to normal after a restart [ops.log-level.now] [ops.log-level.audit]', async () => {
    const house = await settingsHouse({ log: { level: 'warn' } });
    const server = await house.start();
    const put = async (level: string | null) => {
      const response = await server.request('PUT', '/api/log-level', { level });
      return LogLevelState.parse(await response.json());
    };
    expect(await put('debug')).toEqual({ level: 'debug', configured: 'warn' });
    house.anthropic.script(() => true).always(() => reply('hello'));
    await server.chat('hi');
    await server.program.says(/"msg":"turn"/);
    // Another setting changes, and the level stays.
    await server.set({ shareLinks: true });
    expect((await house.run(['log-level'])).stdout).toBe(
      'The log level is debug (until the next start; then warn).\n',
    );
    expect((await house.run(['log-level', 'normal'])).stdout).toBe(
      'The log level is warn (as the settings say).\n',
    );
    expect((await house.run(['log-level', 'error'])).stdout).toContain('The log level is error');
    expect((await house.run(['log-level', 'loud'])).code).toBe(2);
    expect((await server.request('PUT', '/api/log-level', { level: 'loud' })).status).toBe(400);

    const changes = async () => {
      const response = await server.request('GET', '/api/audit?q=log.level');
      const { entries } = (await response.json()) as { entries: AuditEntry[] };
      return entries.map(({ person, detail }) => `${person}: ${detail}`);
    };
    expect(await eventually(changes, ({ length }) => length === 3)).toEqual([
      'null: error until the next start',
      'null: as configured',
      'anna: debug until the next start',
    ]);

    await server.program.stop();
    expect((await house.run(['log-level', 'debug'])).stderr).toContain('No server is using the data in');
    const again = await house.start();
    const state = (await (await again.request('GET', '/api/log-level')).json()) as LogLevelState;
    expect(state).toEqual({ level: 'warn', configured: 'warn' });
  });
});
