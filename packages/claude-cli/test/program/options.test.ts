// Options that the real program must obey.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { callTool, lastToolResults, type Reply, reply, resultText } from '@parley/stand-ins';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findTranscript, type PoolOptions, projectsRoot, type SessionConfig } from '../../src/index.ts';
import { EventLog, eventually } from '../support/reading.ts';
import { openRealProgram, type RealProgram } from '../support/real-program.ts';

describe('options of the real program', () => {
  let real: RealProgram;
  let mcpServer: string;
  beforeAll(async () => {
    real = await openRealProgram();
    mcpServer = join(real.workingDir, 'mcp-server.cjs');
    await writeFile(mcpServer, mcpServerSource);
  });
  afterAll(() => real.close());

  async function oneTurn(config: SessionConfig, ...replies: readonly Reply[]) {
    const session = real.createSession(config);
    const log = new EventLog(session);
    await session.start();
    real.standIn.enqueue(...replies);
    await session.sendInput('Go on');
    const turn = await log.turn(1);
    const mcp = (await session.getMcpStatus())['mcpServers'] as { name: string; status: string }[];
    const info = log.metadata('session')[0];
    await session.stop();
    return { log, turn, mcp, tools: info?.tools ?? [], request: real.standIn.conversations.at(-1) };
  }

  it('offers only the listed tools, and no disallowed ones [driver.flags.tool-restrictions]', async () => {
    const listed = await oneTurn({ custom: { tools: ['Read', 'Bash', 'Glob'] } }, reply('Fine.'));
    expect(listed.tools).toContain('Read');
    expect(listed.tools).not.toContain('Edit');
    const disallowed = await oneTurn({ custom: { disallowed_tools: ['Bash', 'Edit'] } }, reply('Fine.'));
    expect(disallowed.tools).toContain('Read');
    expect(disallowed.tools).not.toContain('Bash');
    expect(disallowed.tools).not.toContain('Edit');
  });

  it('runs allowed tools without asking, and no others', async () => {
    const config: SessionConfig = {
      custom: { allowed_tools: ['Bash(mkdir:*)', 'Bash(touch:*)'] },
      onPermission: ({ toolName }) => ({ behavior: 'deny', message: `${toolName} was asked for` }),
    };
    const call = (command: string) => reply(callTool('Bash', { command, description: 'Try' }));
    const allowed = await oneTurn(config, call('mkdir allowed'), reply('Done.'));
    expect(allowed.log.metadata('tool_result')[0]?.isError).toBe(false);
    const asked = await oneTurn(config, call('rm -r allowed'), reply('Done.'));
    const result = asked.request ? lastToolResults(asked.request.body).map(resultText).join('') : '';
    expect(result).toContain('Bash was asked for');
  });

  it('accepts MCP servers as text, list and object, and uses no others when strict [driver.flags.mcp-override]', async () => {
    const server = { command: process.execPath, args: [mcpServer] };
    await writeFile(join(real.workingDir, '.mcp.json'), JSON.stringify({ mcpServers: { project: server } }));
    const asText = JSON.stringify({ mcpServers: { one: server } });
    const asObject = { mcpServers: { two: server } };
    for (const [mcp_config, names] of [
      [asText, ['one']],
      [asObject, ['two']],
      [
        [asText, asObject],
        ['one', 'two'],
      ],
    ] as const) {
      const { mcp, tools } = await oneTurn(
        { custom: { mcp_config: mcp_config as never, strict_mcp: true } },
        reply('Fine.'),
      );
      expect(mcp.map(({ name }) => name).sort()).toEqual(names);
      for (const name of names) expect(tools).toContain(`mcp__${name}__greet`);
    }
  });

  it('answers in the shape of a JSON schema [driver.flags.structured-output]', async () => {
    const json_schema = {
      type: 'object',
      properties: { summary: { type: 'string' }, changes: { type: 'array', items: { type: 'string' } } },
      required: ['summary'],
    };
    const answer = { summary: 'All well', changes: ['one'] };
    const { log, turn, request } = await oneTurn(
      { custom: { json_schema } },
      reply(callTool('StructuredOutput', answer)),
      reply('Done.'),
    );
    expect(turn).toMatchObject({ outcome: 'success', structuredOutput: answer });
    expect(log.metadata('tool_result')).toMatchObject([{ isError: false }]);
    const offered = request?.body.tools?.find(({ name }) => name === 'StructuredOutput');
    expect(offered?.input_schema).toMatchObject(json_schema);
  });

  it('knows custom agents [driver.agents.custom]', async () => {
    const agents = {
      'soup-taster': { description: 'Tastes soups', prompt: 'You taste soups and nothing else.' },
    };
    const { request } = await oneTurn({ custom: { agents } }, reply('Fine.'));
    expect(JSON.stringify(request?.body).includes('soup-taster')).toBe(true);
  });

  it('works with the bare program, which has few tools and reads no memory files', async () => {
    await writeFile(join(real.workingDir, 'CLAUDE.md'), 'Speak of herons.');
    const { turn, tools, request } = await oneTurn({ custom: { bare: true } }, reply('Fine.'));
    expect(turn).toMatchObject({ outcome: 'success', isError: false, text: 'Fine.' });
    expect(tools).not.toContain('Task');
    expect(JSON.stringify(request?.body)).not.toContain('herons');
  });

  it('accepts all its options', async () => {
    const { turn } = await oneTurn(
      {
        custom: {
          name: '-n with a dash',
          effort: 'low',
          fallback_model: ['haiku', 'sonnet'],
          max_turns: 3,
          max_budget_usd: 2.5,
          add_dir: [real.home],
          settings: { cleanupPeriodDays: 30 },
          setting_sources: ['user'],
          disable_slash_commands: true,
          no_session_persistence: true,
          replay_user_messages: true,
          include_hook_events: true,
          forward_subagent_text: true,
          allow_dangerously_skip_permissions: true,
          append_system_prompt: '-x',
          permission_mode: 'default',
          tools: [],
        },
      },
      reply('Fine.'),
    );
    expect(turn).toMatchObject({ outcome: 'success', text: 'Fine.' });
  });
});

describe('a pool of warm processes', () => {
  let real: RealProgram;
  beforeAll(async () => {
    real = await openRealProgram();
  });
  afterAll(() => real.close());

  const open = (options: Partial<PoolOptions> = {}) =>
    real.provider.createPool(
      { workingDir: real.workingDir, environment: { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' } },
      { size: 2, ...options },
    );

  it('provides running sessions, refills itself, and leaves nothing behind', async () => {
    const pool = open();
    await pool.filled();
    expect(pool.ready).toBe(2);
    const session = await pool.take();
    expect(session.status().state).toBe('running');
    const log = new EventLog(session);
    real.standIn.enqueue(reply('At once.'));
    await session.sendInput('Quick');
    expect((await log.turn(1)).text).toBe('At once.');
    await pool.filled();
    expect(pool.ready).toBe(2);

    await pool.close();
    expect(pool.ready).toBe(0);
    expect(real.provider.aliveSessions).toEqual([session]);
    await session.stop();
    expect(real.provider.aliveSessions).toEqual([]);
    await expect(pool.take()).rejects.toMatchObject({ code: 'illegal_move' });
  });

  it('warms up its processes without calling the model or writing a transcript', async () => {
    const before = real.standIn.requests.length;
    const pool = open();
    await pool.filled();
    const ids = real.provider.aliveSessions.map(({ id }) => id);
    expect(ids).toHaveLength(2);
    expect(real.standIn.requests).toHaveLength(before);
    const root = projectsRoot(real.home);
    for (const id of ids) expect(await findTranscript(root, id)).toBeUndefined();
    await pool.close();
  });

  it('lets a taken session answer before it starts a replacement', async () => {
    const pool = open({ size: 1, refillMs: 1_500 });
    await pool.filled();
    const session = await pool.take();
    expect([pool.ready, real.provider.aliveSessions.length]).toEqual([0, 1]);
    await eventually(() => pool.ready === 1);
    await pool.close();
    await session.stop();
  });

  it('replaces processes that waited too long or died', async () => {
    const pool = open({ idleMs: 1_000 });
    await pool.filled();
    const old = real.provider.aliveSessions;
    await eventually(() => old.every((session) => session.status().state === 'stopped'));
    await pool.close();

    const next = open();
    await next.filled();
    for (const waiting of real.provider.aliveSessions)
      process.kill(waiting.status().pid as number, 'SIGKILL');
    await eventually(() => real.provider.aliveSessions.length === 0);
    const session = await next.take();
    expect(session.status().state).toBe('running');
    await session.stop();
    await next.close();
  });
});

/** A minimal MCP server for the program to connect to. */
const mcpServerSource = `
const tools = [{ name: 'greet', description: 'Greets', inputSchema: { type: 'object', properties: {} } }];
const answers = {
  initialize: (params) => ({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'tiny', version: '1.0.0' } }),
  'tools/list': () => ({ tools }),
};
let rest = '';
process.stdin.on('data', (chunk) => {
  rest += chunk;
  const lines = rest.split('\\n');
  rest = lines.pop();
  for (const line of lines) {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) continue;
    const answer = answers[method];
    const body = answer ? { result: answer(params) } : { error: { code: -32601, message: 'Method not found' } };
    process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...body }) + '\\n');
  }
});
`;
