// Settings that people change in the app, in a real server process.
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSqliteStore } from '../../src/stores/sqlite/store.ts';
import { eventually, odd, settingsHouse } from './settings-house.ts';

const timeout = 180_000;

describe('settings in the app', { timeout }, () => {
  it('show every value with its origin, and change without a restart [team.settings.change]', async () => {
    const house = await settingsHouse({ limits: { toolSeconds: 30 } });
    const server = await house.start({ PARLEY_MODEL: 'claude-of-the-environment' });
    expect(await server.state('log.level')).toMatchObject({
      value: 'info',
      origin: { from: 'default' },
      editable: true,
      applies: 'now',
      revision: 0,
      schema: { enum: ['debug', 'info', 'warn', 'error', 'silent'] },
    });
    expect(await server.state('limits.toolSeconds')).toMatchObject({
      value: 30,
      origin: { from: 'file', name: join(house.place.user, 'parley.config.json') },
      editable: false,
    });
    expect(await server.state('model')).toMatchObject({
      value: 'claude-of-the-environment',
      origin: { from: 'environment', name: 'PARLEY_MODEL' },
      editable: false,
    });
    expect(await server.state('port')).toMatchObject({ editable: false, applies: null });

    await server.set({ 'log.level': 'debug', models: ['claude-new'] });
    expect(await server.state('log.level')).toMatchObject({
      value: 'debug',
      origin: { from: 'app', name: house.file },
      revision: 1,
    });
    const assistants = (await (await server.request('GET', '/api/assistants')).json()) as object;
    expect(assistants).toMatchObject({ models: ['claude-of-the-environment', 'claude-new'] });
    expect(statSync(house.file).mode & 0o777).toBe(0o600);

    const { stdout } = await house.run(['config']);
    expect(stdout).toMatch(/^log\.level +debug +app$/m);
    await server.set({ 'log.level': null });
    expect(await server.state('log.level')).toMatchObject({
      value: 'info',
      origin: { from: 'default' },
      revision: 0,
    });
    await server.program.stop();
    const again = await house.start();
    expect(await again.state('models')).toMatchObject({ value: ['claude-new'], origin: { from: 'app' } });
  });

  it('never win over the file, the environment or a flag [team.settings.fixed]', async () => {
    const house = await settingsHouse({ mcpServers: { odd: odd() } });
    const server = await house.start({ PARLEY_LOG_LEVEL: 'warn' });
    expect(await server.refused({ caution: 'strict' })).toMatchObject({
      status: 409,
      error: {
        code: 'conflict',
        message: `caution is set by ${join(house.place.user, 'parley.config.json')}. Change it there.`,
      },
    });
    expect(await server.refused({ 'log.level': 'debug' })).toMatchObject({
      status: 409,
      error: { message: 'log.level is set by PARLEY_LOG_LEVEL. Change it there.' },
    });
    expect(await server.refused({ 'mcpServers.odd': odd('--silent') })).toMatchObject({ status: 409 });
    expect(await server.refused({ port: 1 })).toMatchObject({
      status: 400,
      problems: [{ key: 'port', message: 'this cannot be changed in the app' }],
    });
    expect(house.stored()).toEqual({});

    // What was set before is hidden, and comes back.
    await server.set({ model: 'claude-of-the-app' });
    await server.program.stop();
    const fixed = await house.start({ PARLEY_MODEL: 'claude-fixed' });
    expect(await fixed.state('model')).toMatchObject({
      value: 'claude-fixed',
      editable: false,
      overridden: true,
      revision: 1,
    });
    await fixed.set({ model: null });
    await fixed.program.stop();
    expect(await (await house.start()).state('model')).toMatchObject({ origin: { from: 'default' } });
  });

  it('report all problems at once, in the words of the configuration, and save nothing [team.settings.problems]', async () => {
    const house = await settingsHouse();
    const server = await house.start();
    const refused = await server.refused({
      'log.level': 'loud',
      'mcpServers.files': { comand: 'x' },
      'assistants.cook': { label: 'Cook' },
      model: 'claude-fine',
    });
    expect(refused).toMatchObject({ status: 400, error: { code: 'invalid' } });
    expect(refused.problems).toEqual([
      {
        key: 'log.level',
        message: 'expected one of debug, info, warn, error, silent, found "loud"',
        hint: 'The lowest level that is logged.',
      },
      {
        key: 'mcpServers.files.comand',
        message: 'unknown key',
        hint: expect.stringContaining('Known keys'),
      },
      { key: 'mcpServers.files', message: 'expected either command or url', hint: expect.any(String) },
      {
        key: 'assistants.cook',
        message: 'expected a label and a systemPrompt, or extends',
        hint: expect.any(String),
      },
    ]);
    // Settings that contradict each other.
    expect(await server.refused({ 'assistants.cook': { extends: 'notes', tools: ['mail'] } })).toMatchObject({
      status: 400,
      problems: [{ message: 'the assistant cook uses the tools of mail, which does not exist' }],
    });
    await server.set({
      'mcpServers.mail': odd(),
      'assistants.cook': { extends: 'notes', tools: ['mail'] },
    });
    expect(await server.refused({ 'mcpServers.mail': null })).toMatchObject({ status: 400 });
    await server.set({ 'mcpServers.mail': null, 'assistants.cook': null });
    expect(house.stored()).toEqual({});
  });

  it('tell the second of two people that somebody was faster [team.settings.conflict]', async () => {
    const server = await (await settingsHouse()).start();
    const change = (person: string, key: string, value: unknown, revision: number) =>
      server.request('PATCH', '/api/settings', { changes: [{ key, value, revision }] }, person);
    const both = await Promise.all([
      change('anna', 'model', 'claude-anna', 0),
      change('ben', 'model', 'claude-ben', 0),
    ]);
    expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
    const { value, revision } = await server.state('model');
    // Other settings are not affected.
    expect((await change('ben', 'log.level', 'warn', 0)).status).toBe(200);
    expect((await change('anna', 'model', 'claude-next', revision)).status).toBe(200);
    expect((await change('ben', 'model', value, revision)).status).toBe(409);
    expect((await change('ben', 'model', null, revision)).status).toBe(409);
    expect(await server.state('model')).toMatchObject({ value: 'claude-next' });
  });

  it('are complete or unchanged after kill -9 in the middle of saving [team.settings.crash]', async () => {
    const house = await settingsHouse();
    let confirmed = 0;
    for (let round = 1; round <= 3; round += 1) {
      const server = await house.start();
      const state = await server.state('model');
      const found = Number(
        /^model-(\d+)$/.exec(typeof state.value === 'string' ? state.value : '')?.[1] ?? 0,
      );
      // Everything that was confirmed is there, plus at most the change that was being saved.
      expect([confirmed, confirmed + 1]).toContain(found);
      confirmed = found;
      let { revision } = state;
      let killed: Promise<unknown> | undefined;
      for (;;) {
        const changes = [{ key: 'model', value: `model-${confirmed + 1}`, revision }];
        const saving = server.request('PATCH', '/api/settings', { changes }).catch(() => undefined);
        if (confirmed >= round * 4) killed ??= server.program.stop('SIGKILL');
        const response = await saving;
        if (response?.status !== 200) break;
        confirmed += 1;
        revision += 1;
      }
      await killed;
    }
    expect(confirmed).toBeGreaterThanOrEqual(12);
  });

  it('stay as they are if they cannot be saved [team.settings.crash]', async () => {
    const house = await settingsHouse();
    const server = await house.start();
    await server.set({ model: 'claude-first' });
    const home = join(house.place.user, '.parley');
    renameSync(home, `${home}-away`);
    writeFileSync(home, 'in the way');
    expect(await server.refused({ model: 'claude-second' })).toMatchObject({
      status: 503,
      error: { message: expect.stringContaining('nothing was changed') },
    });
    expect(await server.state('model')).toMatchObject({ value: 'claude-first', revision: 1 });
    rmSync(home);
    renameSync(`${home}-away`, home);
    await server.set({ model: 'claude-second' });
  });

  it('start with a damaged file, say so, and keep it when they are changed [team.settings.layer.bad-ignored]', async () => {
    const house = await settingsHouse();
    await (await house.start()).program.stop();
    writeFileSync(house.file, '{"version": 1, "settings": {"model"');
    const server = await house.start();
    expect((await server.view()).ignored).toMatchObject([{ message: 'the file is damaged' }]);
    await server.set({ model: 'claude-after' });
    expect(readFileSync(`${house.file}.unreadable`, 'utf8')).toContain('"model"');
    expect(house.stored()).toMatchObject({ model: { value: 'claude-after' } });
  });

  it('can be removed if they are stored but wrong', async () => {
    const house = await settingsHouse();
    await (await house.start()).program.stop();
    const settings = { 'log.level': { value: 'loud', revision: 4 }, 'no.such': { value: 1, revision: 5 } };
    writeFileSync(house.file, JSON.stringify({ version: 1, revision: 5, settings }));
    const server = await house.start();
    const { ignored } = await server.view();
    expect(ignored.map(({ key, revision }) => [key, revision])).toEqual([
      ['log.level', 4],
      ['no.such', 5],
    ]);
    await server.set({ 'log.level': 'warn', 'no.such': null });
    expect((await server.view()).ignored).toEqual([]);
    expect(house.stored()).toEqual({ 'log.level': { value: 'warn', revision: 6 } });
  });

  it('change the level of the log in every part of the server [team.settings.change]', async () => {
    const server = await (await settingsHouse()).start();
    const { program } = server;
    await server.set({ 'mcpServers.odd': odd(), 'log.level': 'error' });
    const quiet = program.stdout.length;
    await server.request('POST', '/api/claude/chat', { message: 'hello' });
    expect(program.stdout.slice(quiet)).not.toMatch(/"level":"(info|debug|warn)"/);
    await server.set({ 'log.level': 'info' });
    await server.request('POST', '/api/claude/chat', { message: 'hello' });
    await eventually(
      () => program.stdout.slice(quiet),
      (text) => text.includes('"msg":"turn"'),
    );
  });

  it('apply to work roots and web search at once [team.settings.change]', async () => {
    const house = await settingsHouse();
    const server = await house.start();
    const folders = async () => (await server.request('GET', '/api/work-folders')).json();
    const tools = async () => {
      house.anthropic.clearRequests();
      await server.request('POST', '/api/claude/chat', { message: 'hello' });
      return JSON.stringify(house.anthropic.requests.map(({ body }) => body));
    };
    const root = join(house.place.user, 'projects');
    mkdirSync(join(root, 'garden'), { recursive: true });
    expect(await folders()).toMatchObject({ error: { code: 'forbidden' } });
    await server.set({ workRoots: ['~/projects'] });
    expect(await folders()).toMatchObject({ folders: [{ path: root }] });
    // As it was typed.
    expect(await server.state('workRoots')).toMatchObject({ value: ['~/projects'], applies: 'now' });
    await server.set({ workRoots: null });
    expect(await folders()).toMatchObject({ error: { code: 'forbidden' } });

    expect(await tools()).toContain('"type":"web_search_');
    await server.set({ 'web.search': 'none' });
    expect(await tools()).not.toContain('"name":"web_search"');
    expect(await server.refused({ 'web.search': 'brave' })).toMatchObject({
      status: 400,
      problems: [{ message: 'web search uses Brave, but its API key is not set' }],
    });
    await server.set({ 'web.search': 'brave', 'web.brave.apiKey': 'key-of-brave' });
    expect(await tools()).toContain('"name":"web_search"');
  });

  it('are only for people with the right, and say how the server is doing [team.settings.right]', async () => {
    const house = await settingsHouse({}, { hasAccounts: false });
    const server = await house.start();
    const about = (await (await server.request('GET', '/api/settings/about')).json()) as object;
    expect(about).toMatchObject({
      node: process.versions.node,
      demo: false,
      dataDir: join(house.place.user, '.parley'),
      databaseBytes: expect.any(Number),
      findings: expect.arrayContaining([
        expect.objectContaining({ check: 'Home', state: 'ok', fix: null }),
        expect.objectContaining({ check: 'ripgrep', state: 'ok' }),
      ]),
    });
    expect((await fetch(`${server.url}/api/settings`)).status).toBe(401);
    await server.set({ model: 'claude-planted' });
    await server.program.stop();

    // Once there is an owner, the others are members.
    const store = await openSqliteStore({ file: join(house.place.user, '.parley', 'parley.db') });
    await store.accounts.create({ person: 'zoe', role: 'owner', assistants: [], createdAt: 1 }, {});
    const [entry] = await store.audit.search({ limit: 10 });
    await store.close();
    expect(entry).toMatchObject({
      action: 'settings.changed',
      person: 'anna',
      subject: 'model',
      detail: 'set',
      address: '127.0.0.1',
    });
    expect(JSON.stringify(entry)).not.toContain('planted');
    const later = await house.start();
    const change = { changes: [{ key: 'model', value: null, revision: 1 }] };
    const trial = { name: 'x', value: { command: 'x' } };
    const refused = await Promise.all([
      later.request('GET', '/api/settings'),
      later.request('GET', '/api/settings/about'),
      later.request('PATCH', '/api/settings', change),
      later.request('POST', '/api/settings/mcp/test', trial),
      later.request('POST', '/api/settings/bots/test', trial),
    ]);
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
    expect(house.stored()).toMatchObject({ model: { value: 'claude-planted' } });
  });

  it('start programs and bots only for owners with an account [team.settings.programs]', async () => {
    const house = await settingsHouse({}, { hasAccounts: false });
    const server = await house.start();
    const says = 'it needs an owner with an account';
    for (const [key, value] of Object.entries({
      'mcpServers.odd': odd(),
      'channels.telegram.token': '1:a-token',
      'channels.person': 'ben',
      workRoots: ['/srv'],
    })) {
      const { status, error } = await server.refused({ [key]: value });
      expect([key, status, error.message]).toEqual([key, 403, expect.stringContaining(says)]);
    }
    const trial = (path: string, value: object) =>
      server.request('POST', `/api/settings/${path}/test`, { name: 'odd', value });
    expect((await trial('mcp', odd())).status).toBe(403);
    expect((await trial('bots', { service: 'telegram', token: '1:a-token' })).status).toBe(403);
    // Everything else stays open to the household.
    await server.set({ model: 'claude-other', 'mcpServers.far': { url: 'http://127.0.0.1:9/mcp' } });
  });
});
