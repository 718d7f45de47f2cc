// MCP servers and assistants that people add, change and remove in the app while the server runs.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { McpTrialResult } from '@parley/protocol';
import { callTool, createGate, lastToolResults, lastUserText, reply, resultText } from '@parley/stand-ins';
import { describe, expect, it } from 'vitest';
import { startForgetful } from '../tools/mcp/http-server.ts';
import {
  eventually,
  isRunning,
  keyOf,
  odd,
  oddServer,
  type Server,
  type SettingsHouse,
  settingsHouse,
} from './settings-house.ts';

const timeout = 180_000;

/** A message `call NAME` calls a tool without arguments. */
function scriptTools({ anthropic }: SettingsHouse): void {
  anthropic
    .script(() => true)
    .always(({ body }) => {
      const results = lastToolResults(body).map(resultText).join(' ');
      if (results !== '') return reply(results);
      const [, tool] = /^call (\w+)$/.exec(lastUserText(body)) ?? [];
      return tool === undefined ? reply('Nothing to call.') : reply(callTool(tool, {}));
    });
}

const withOdd = { extends: 'notes', tools: ['odd'] };

async function pidOf(server: Server): Promise<number> {
  const [pid = 0] = JSON.parse(await server.chat('call pids')) as number[];
  return pid;
}

async function trial(server: Server, name: string, value: unknown): Promise<McpTrialResult> {
  const response = await server.request('POST', '/api/settings/mcp/test', { name, value });
  expect(response.status).toBe(200);
  return (await response.json()) as McpTrialResult;
}

describe('MCP servers in the app', { timeout }, () => {
  it('are added, changed and removed without touching others [team.settings.mcp]', async () => {
    const house = await settingsHouse();
    scriptTools(house);
    const server = await house.start();
    await server.set({
      'mcpServers.odd': odd(),
      'mcpServers.other': odd('--tools', 'second'),
      'assistants.notes': { extends: 'notes', tools: ['odd'] },
      'assistants.helper': { label: 'Helper', systemPrompt: 'You help.', tools: ['other'] },
    });
    const pid = await pidOf(server);
    expect(isRunning(pid)).toBe(true);
    const status = async () => (await (await server.request('GET', '/api/mcp')).json()) as object;
    expect(await status()).toMatchObject({
      servers: [{ name: 'recipes' }, { name: 'odd', state: 'ready' }, { name: 'other' }],
    });

    // A change of another server leaves it alone.
    await server.set({ 'mcpServers.other': odd('--tools', 'third') });
    expect(await pidOf(server)).toBe(pid);
    // Its own change restarts it, with new tools.
    await server.set({ 'mcpServers.odd': odd('--tools', 'extra') });
    expect(await server.chat('call extra')).toBe('this is extra');
    const second = await pidOf(server);
    expect(second).not.toBe(pid);
    await eventually(
      () => isRunning(pid),
      (running) => !running,
    );
    // Turned off, its tools are gone.
    await server.set({ 'mcpServers.odd': { ...odd(), disabled: true } });
    await eventually(
      () => isRunning(second),
      (running) => !running,
    );
    expect(await server.chat('call pids')).toContain('pids');
    expect(JSON.stringify(await status())).not.toContain('odd');
    await server.set({ 'assistants.notes': null, 'assistants.helper': null, 'mcpServers.odd': null });
    expect(await (await server.request('GET', '/api/assistants')).json()).toMatchObject({
      assistants: [{ name: 'notes', label: 'Notes' }, { name: 'kitchen' }],
    });
  });

  it('stay as they were for a turn that runs [team.settings.running-turn]', async () => {
    const house = await settingsHouse();
    const server = await house.start();
    await server.set({ 'mcpServers.odd': odd(), 'assistants.notes': withOdd });
    const gate = createGate();
    const firstPid = createGate();
    const seen: string[] = [];
    house.anthropic
      .script(() => true)
      .always(async ({ body }) => {
        const results = lastToolResults(body).map(resultText);
        seen.push(...results);
        if (results.length === 0) return reply(callTool('pids', {}));
        if (seen.length === 1) {
          firstPid.open();
          await gate.opened;
          return reply(callTool('pids', {}));
        }
        return reply('done');
      });
    const answer = server.chat('go');
    await firstPid.opened;
    const [pid = 0] = JSON.parse(seen[0] ?? '[]') as number[];
    await server.set({ 'mcpServers.odd': odd('--tools', 'extra') });
    await server.set({ 'assistants.notes': null, 'mcpServers.odd': null });
    expect(isRunning(pid)).toBe(true);
    gate.open();
    expect(await answer).toBe('done');
    expect(seen).toEqual([`[${pid}]`, `[${pid}]`]);
    await eventually(
      () => isRunning(pid),
      (running) => !running,
    );
  });

  it('can be tried before they are saved [team.settings.mcp-test]', async () => {
    const house = await settingsHouse();
    const server = await house.start();
    const good = await trial(server, 'odd', odd('--tools', 'apple'));
    expect(good).toMatchObject({ ok: true, problem: null });
    expect(good.tools.map(({ name }) => name)).toContain('apple');
    const http = await startForgetful();
    expect(await trial(server, 'http', { url: http.url })).toMatchObject({ ok: true });

    const crash = join(house.place.user, 'crash');
    writeFileSync(crash, '');
    const failed = await trial(server, 'odd', {
      ...odd('--crash', crash),
      env: { KITCHEN_TOKEN: 'planted-secret' },
    });
    expect(failed).toEqual({
      ok: false,
      tools: [],
      problem: expect.stringContaining('no flour in the house, token [redacted]'),
    });
    expect(await trial(server, 'odd', { command: '/no/such/program' })).toMatchObject({ ok: false });
    const wrong = await server.request('POST', '/api/settings/mcp/test', { name: 'a b', value: { args: 1 } });
    expect(wrong.status).toBe(400);
    expect(await wrong.json()).toMatchObject({
      problems: [
        {
          key: 'mcpServers.a b',
          message: 'expected a name of at most 32 letters, digits, - and _',
        },
      ],
    });
    expect(house.stored()).toEqual({});
    expect(await server.program.stop().then(({ stdout }) => stdout)).not.toContain('planted');
  });

  it('stop when somebody no longer waits for the trial [team.settings.mcp-test]', async () => {
    const house = await settingsHouse();
    const server = await house.start();
    const pids = join(house.place.user, 'pid');
    const value = {
      command: '/bin/sh',
      args: ['-c', `echo $$ > '${pids}'; exec '${process.execPath}' '${oddServer}' --silent`],
    };
    const leave = new AbortController();
    const waiting = fetch(`${server.url}/api/settings/mcp/test`, {
      method: 'POST',
      headers: {
        'x-api-key': keyOf('anna'),
        'x-notes-person': 'anna',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ name: 'odd', value }),
      signal: leave.signal,
    }).catch(() => undefined);
    const read = () => {
      try {
        return Number(readFileSync(pids, 'utf8'));
      } catch {
        return 0;
      }
    };
    const pid = await eventually(read, (found) => found > 0);
    leave.abort();
    await waiting;
    await eventually(
      () => isRunning(pid),
      (running) => !running,
    );
  });

  it('keep their secrets to themselves [team.settings.secrets.write-only]', async () => {
    const house = await settingsHouse();
    scriptTools(house);
    const server = await house.start();
    await server.set({ 'log.level': 'debug' });
    const secret = 'planted-secret-1';
    const env = { KITCHEN_TOKEN: secret };
    const texts: string[] = [];
    const note = (value: unknown) => texts.push(JSON.stringify(value));
    note(
      await server.set({
        'mcpServers.odd': { ...odd(), env },
        'mcpServers.far': { url: 'http://127.0.0.1:9/mcp', headers: { Authorization: 'planted-secret-2' } },
        'web.brave.apiKey': 'planted-secret-3',
        'assistants.notes': withOdd,
      }),
    );
    expect((await server.entry('mcpServers', 'odd'))?.value).toMatchObject({
      env: { KITCHEN_TOKEN: { isSet: true } },
    });
    expect(await server.state('web.brave.apiKey')).toMatchObject({ value: { isSet: true } });

    // Sent back as shown, the secret stays.
    const kept = {
      ...odd('--tools', 'x'),
      env: { KITCHEN_TOKEN: { isSet: true }, MORE: 'planted-secret-4' },
    };
    note(await server.set({ 'mcpServers.odd': kept, 'web.brave.apiKey': { isSet: true } }));
    expect(await server.chat('call environment')).toContain(secret);
    expect(house.stored()).toMatchObject({
      'mcpServers.odd': { value: { env: { KITCHEN_TOKEN: secret, MORE: 'planted-secret-4' } } },
      'web.brave.apiKey': { value: 'planted-secret-3' },
    });
    // But nowhere else.
    const elsewhere = await server.refused({
      'mcpServers.far': { url: 'http://127.0.0.1:10/mcp', headers: { Authorization: { isSet: true } } },
      'mcpServers.new': { ...odd(), env: { KITCHEN_TOKEN: { isSet: true } } },
    });
    note(elsewhere);
    expect(elsewhere.problems).toEqual([
      {
        key: 'mcpServers.far',
        message: 'the address is new, so the stored secret is not sent there',
        hint: 'Enter the secret again.',
      },
      {
        key: 'mcpServers.new',
        message: 'there is no stored secret to keep',
        hint: 'Enter the secret again.',
      },
    ]);
    note(await server.refused({ 'mcpServers.odd': { ...odd(), env: { 'a b': 'planted-secret-5' } } }));
    note(await server.view());
    note(await (await server.request('GET', '/api/settings/about')).json());
    note(await (await server.request('GET', '/api/mcp')).json());
    note(await house.run(['config']));
    note(await house.run(['config', '--json']));
    const { stdout, stderr } = await server.program.stop();
    note([stdout, stderr]);
    expect(texts.join('\n')).not.toContain('planted');
  });
});
