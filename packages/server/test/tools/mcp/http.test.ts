// MCP servers over streamable HTTP.
import { freePort } from '@parley/stand-ins';
import { describe, expect, it, vi } from 'vitest';
import { McpHarness, patience, server } from './harness.ts';
import { startEverything, startForgetful } from './http-server.ts';

const quick = { limits: { firstPauseMs: 50, longestPauseMs: 200 } };

describe('an MCP server over HTTP', () => {
  it('works like any other: tools, content, progress', async () => {
    const port = await freePort();
    await startEverything(port);
    const harness = new McpHarness([server('everything', http(`http://127.0.0.1:${port}/mcp`))]);
    expect(await harness.text('everything', 'echo', { message: 'hello' })).toBe('Echo: hello');
    expect((await harness.call('everything', 'get-tiny-image')).content).toContainEqual(
      expect.objectContaining({ type: 'image' }),
    );
    const call = await harness.begin('everything', 'trigger-long-running-operation', {
      duration: 0.5,
      steps: 5,
    });
    expect((await call.result).content).toContain('completed');
    expect(call.progress).toContain('1 of 5');
    expect(harness.status('everything')).toMatchObject({ state: 'ready', pid: undefined });
  });

  it('gets the configured headers with each request', async () => {
    const forgetful = await startForgetful();
    const settings = { ...http(forgetful.url), headers: { authorization: 'Bearer of-cake' } };
    const harness = new McpHarness([server('counter', settings)]);
    await harness.text('counter', 'count', { by: 1 });
    expect(forgetful.headersSeen.length).toBeGreaterThan(2);
    for (const { authorization } of forgetful.headersSeen) expect(authorization).toBe('Bearer of-cake');
  });

  it('gets a new session when it has forgotten the old one, without anybody noticing', async () => {
    const forgetful = await startForgetful();
    const harness = new McpHarness([server('counter', http(forgetful.url))]);
    expect(await harness.text('counter', 'count', { by: 1 })).toBe('1');
    forgetful.forget();
    const call = await harness.begin('counter', 'count', { by: 1 });
    expect(await call.result).toEqual({ content: '2' });
    forgetful.forget();
    const both = await Promise.all([
      harness.text('counter', 'count', { by: 1 }),
      harness.text('counter', 'count', { by: 1 }),
    ]);
    expect(both.sort()).toEqual(['3', '4']);
    expect(forgetful.calls).toBe(4);
    expect(call.events).toEqual([]);
    expect(harness.log.filter(({ level }) => level === 'warn')).toEqual([]);
  });

  it('counts as failed when it forgets the new session, too', async () => {
    const forgetful = await startForgetful();
    const harness = new McpHarness([server('counter', http(forgetful.url))]);
    expect(await harness.text('counter', 'count', { by: 1 })).toBe('1');
    forgetful.forgetAlways();
    expect(await harness.call('counter', 'count', { by: 1 })).toMatchObject({
      failed: true,
      content: expect.stringContaining('“counter” stopped during the call (it forgets its sessions).'),
    });
    expect(harness.status('counter')).toMatchObject({ state: 'failed' });
    expect(forgetful.calls).toBe(1);
    expect(harness.log.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('fails its running calls at once when it is killed, and works again when it is back', async () => {
    const port = await freePort();
    const first = await startEverything(port);
    const harness = new McpHarness([server('everything', http(`http://127.0.0.1:${port}/mcp`))], quick);
    const call = await harness.begin('everything', 'trigger-long-running-operation', {
      duration: 80,
      steps: 80,
    });
    await vi.waitUntil(() => call.progress.length > 0, patience);
    first.kill('SIGKILL');
    expect(await call.result).toMatchObject({
      failed: true,
      content: expect.stringContaining(
        '“everything” stopped during the call (the connection was lost). It restarts in',
      ),
    });
    expect(call.events).toHaveLength(1);
    await startEverything(port);
    await harness.until('everything', 'ready');
    expect(await harness.text('everything', 'echo', { message: 'again' })).toBe('Echo: again');
  });

  it('says why it cannot be reached', async () => {
    const harness = new McpHarness([server('nobody', http(`http://127.0.0.1:${await freePort()}/mcp`))]);
    expect(await harness.list('nobody')).toEqual([]);
    expect(harness.status('nobody')).toMatchObject({
      state: 'failed',
      lastError: 'it cannot be reached (ECONNREFUSED)',
    });
  });
});

function http(url: string) {
  return { kind: 'http', url, headers: {} } as const;
}
