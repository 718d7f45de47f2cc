// What happens to calls, to other servers and to the log when an MCP server crashes.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { fromNpm, isAlive, McpHarness, odd, patience, server, tempFolder } from './harness.ts';

const quick = { limits: { firstPauseMs: 50, longestPauseMs: 200 } };

describe('an MCP server that crashes', () => {
  it('fails its running calls at once and informs the person and the model', async () => {
    const harness = new McpHarness([server('everything', fromNpm('everything'))]);
    const call = await harness.begin('everything', 'trigger-long-running-operation', {
      duration: 80,
      steps: 80,
    });
    await vi.waitUntil(() => call.progress.length > 0, patience);
    process.kill(harness.status('everything').pid ?? 0, 'SIGKILL');

    const { failed, content } = await call.result;
    expect(failed).toBe(true);
    expect(content).toMatch(
      /“everything” stopped during the call \(ended by SIGKILL.*\)\. It restarts in 1 second\./,
    );
    expect(call.events).toEqual([{ type: 'notice', code: 'tool_server_unavailable', message: content }]);
    expect(harness.status('everything')).toMatchObject({
      state: 'failed',
      lastError: expect.stringContaining('SIGKILL'),
      nextTryAt: expect.any(Number),
      tools: expect.arrayContaining(['echo']),
    });
  });

  it('restarts by itself and works as before [kitchen.mcp.crash-restart]', async () => {
    const harness = new McpHarness([server('everything', fromNpm('everything'))], quick);
    for (let crash = 1; crash <= 3; crash += 1) {
      await harness.list('everything');
      process.kill((await harness.until('everything', 'ready')).pid ?? 0, 'SIGKILL');
      await harness.until('everything', 'failed');
      expect(await harness.until('everything', 'ready')).toMatchObject({
        restarts: crash,
        lastError: undefined,
      });
      expect(await harness.text('everything', 'echo', { message: 'again' })).toBe('Echo: again');
    }
  });

  it('restarts after growing pauses, which start over after a healthy time', async () => {
    const pauses = async (healthyMs: number) => {
      const limits = { firstPauseMs: 10, longestPauseMs: 40, healthyMs };
      const harness = new McpHarness([server('odd', odd())], { limits });
      await harness.list('odd');
      for (let crash = 1; crash <= 4; crash += 1) {
        await harness.until('odd', 'ready');
        expect((await harness.call('odd', 'die')).failed).toBe(true);
        await vi.waitUntil(() => harness.status('odd').restarts === crash, patience);
      }
      return harness.log
        .filter(({ message }) => message === 'an MCP server failed')
        .map((line) => line['nextTryInMs']);
    };
    expect(await pauses(60_000)).toEqual([10, 20, 40, 40]);
    expect(await pauses(0)).toEqual([10, 10, 10, 10]);
  });

  it('does not affect the calls of other servers [kitchen.mcp.crash-isolated]', async () => {
    const harness = new McpHarness([
      server('one', fromNpm('everything')),
      server('two', fromNpm('everything')),
    ]);
    const input = { duration: 2, steps: 20 };
    const [lost, kept] = await Promise.all([
      harness.begin('one', 'trigger-long-running-operation', input),
      harness.begin('two', 'trigger-long-running-operation', input),
    ]);
    await vi.waitUntil(() => kept.progress.length > 0 && lost.progress.length > 0, patience);
    process.kill(harness.status('one').pid ?? 0, 'SIGKILL');
    expect(await lost.result).toMatchObject({ failed: true });
    expect(harness.status('two')).toMatchObject({ state: 'ready', restarts: 0 });
    expect(await kept.result).toEqual({ content: expect.stringContaining('completed') });
    expect(kept.events).toEqual([]);
  });

  it('keeps offering its tools while it is down, and a call says when it restarts', async () => {
    const harness = new McpHarness([server('odd', odd())], { limits: { firstPauseMs: 60_000 } });
    expect((await harness.call('odd', 'die')).failed).toBe(true);
    const call = await harness.begin('odd', 'say', { text: 'hello' });
    const { failed, content } = await call.result;
    expect(failed).toBe(true);
    expect(content).toMatch(/“odd” is not available \(ended with code 3\)\. It restarts in \d+ seconds\./);
    expect(call.events).toEqual([{ type: 'notice', code: 'tool_server_unavailable', message: content }]);
  });

  it('is logged once, however often it fails the same way', async () => {
    const crash = join(tempFolder(), 'crash');
    writeFileSync(crash, '');
    const settings = { ...odd('--crash', crash), env: { KITCHEN_TOKEN: 'very-secret-token' } };
    const harness = new McpHarness([server('odd', settings)], quick);
    expect(await harness.list('odd')).toEqual([]);
    await vi.waitUntil(() => harness.status('odd').restarts >= 4, patience);
    await harness.until('odd', 'failed');
    expect(harness.log.filter(({ level }) => level !== 'debug')).toEqual([
      {
        level: 'warn',
        message: 'an MCP server failed',
        mcpServer: 'odd',
        reason: 'ended with code 7: no flour in the house, token [redacted]',
        nextTryInMs: 50,
      },
    ]);
    expect(harness.status('odd').lastError).toContain('no flour in the house');
    expect(JSON.stringify([harness.log, harness.tools.status()])).not.toContain('very-secret-token');

    rmSync(crash);
    await harness.until('odd', 'ready');
    expect(await harness.text('odd', 'say', { text: 'well' })).toBe('well');
    expect(harness.log.filter(({ level }) => level !== 'debug').map(({ message }) => message)).toEqual([
      'an MCP server failed',
      'an MCP server has tools that cannot be offered',
      'an MCP server is ready',
    ]);
  });

  it('includes one that sends a message that is too large', async () => {
    const harness = new McpHarness([server('odd', odd('--stubborn'))], quick);
    const { failed, content } = await harness.call('odd', 'flood');
    expect(failed).toBe(true);
    expect(content).toContain('stopped during the call (it sent a message that is too large)');
    await harness.until('odd', 'ready');
    expect(await harness.text('odd', 'say', { text: 'well' })).toBe('well');
  });

  it('blocks nobody while it restarts', async () => {
    const crash = join(tempFolder(), 'crash');
    writeFileSync(crash, '');
    const limits = { firstPauseMs: 1_500, startMs: 60_000 };
    const harness = new McpHarness([server('odd', odd('--crash', crash, '--silent'))], { limits });
    expect(await harness.names('odd')).toEqual([]);
    rmSync(crash);
    const { restarts } = await harness.until('odd', 'starting');

    expect(await harness.names('odd')).toEqual([]);

    expect(harness.status('odd')).toMatchObject({ state: 'starting', restarts });
  });

  it('is noticed and its children are killed although they keep the pipes open', async () => {
    const harness = new McpHarness([server('odd', odd('--grandchild'))]);
    const [pid = 0, grandchild = 0] = JSON.parse(await harness.text('odd', 'pids')) as number[];
    const call = await harness.begin('odd', 'hang');
    process.kill(pid, 'SIGKILL');
    expect(await call.result).toMatchObject({ failed: true });
    await vi.waitUntil(() => !isAlive(grandchild), patience);
  });

  it('is killed with its children when it does not exit by itself', async () => {
    const harness = new McpHarness([server('odd', odd('--stubborn', '--grandchild'))]);
    const pids = JSON.parse(await harness.text('odd', 'pids')) as number[];
    await harness.tools.close();
    await vi.waitUntil(() => !pids.some(isAlive), patience);
    expect((await harness.call('odd', 'say', {})).content).toContain('Parley is stopping');
  });

  it('fails when it takes too long to start', async () => {
    const harness = new McpHarness([server('odd', odd('--silent'))], {
      limits: { startMs: 500, firstPauseMs: 60_000 },
    });
    expect(await harness.list('odd')).toEqual([]);
    expect(harness.status('odd')).toMatchObject({
      state: 'failed',
      lastError: 'it did not answer within 0.5 seconds',
    });
  });

  it('says so when there is no such program', async () => {
    const missing = { kind: 'stdio', command: 'no-such-program-of-parley', args: [], env: {} } as const;
    const harness = new McpHarness([server('missing', missing)], { limits: { firstPauseMs: 60_000 } });
    expect(await harness.list('missing')).toEqual([]);
    expect(harness.status('missing').lastError).toBe('the program no-such-program-of-parley was not found');
  });

  it('says so when a folder on the search path is closed to it, and when only a folder has that name', async () => {
    const folder = tempFolder();
    const name = 'no-such-program-of-parley';
    mkdirSync(join(folder, 'closed'), { mode: 0o000 });
    // The system answers EACCES for this one even to root, who may look into every folder.
    mkdirSync(join(folder, 'open', name), { recursive: true });
    const env = { PATH: [join(folder, 'closed'), join(folder, 'open')].join(delimiter) };
    const missing = { kind: 'stdio', command: name, args: [], env } as const;
    const harness = new McpHarness([server('missing', missing)], { limits: { firstPauseMs: 60_000 } });
    expect(await harness.list('missing')).toEqual([]);
    expect(harness.status('missing').lastError).toBe(`the program ${name} was not found`);
  });

  it('says so when a program may not be executed', async () => {
    const command = join(tempFolder(), 'tools');
    writeFileSync(command, '', { mode: 0o600 });
    const closed = { kind: 'stdio', command, args: [], env: {} } as const;
    const harness = new McpHarness([server('closed', closed)], { limits: { firstPauseMs: 60_000 } });
    expect(await harness.list('closed')).toEqual([]);
    expect(harness.status('closed').lastError).toBe(`the program ${command} may not be executed`);
  });
});
