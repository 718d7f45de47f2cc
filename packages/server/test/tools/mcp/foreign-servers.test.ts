// MCP servers from npm, over stdin and stdout.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { fromNpm, isAlive, McpHarness, patience, server, tempFolder } from './harness.ts';

describe('MCP servers from npm', () => {
  it('starts a server only when it is needed', async () => {
    const harness = new McpHarness([
      server('everything', fromNpm('everything')),
      server('memory', fromNpm('memory')),
    ]);
    expect(harness.tools.status().map(({ state }) => state)).toEqual(['idle', 'idle']);
    expect(await harness.text('everything', 'echo', { message: 'hello' })).toBe('Echo: hello');
    expect(harness.tools.status()).toEqual([
      {
        name: 'everything',
        state: 'ready',
        tools: expect.arrayContaining(['echo', 'get-sum']),
        lastError: undefined,
        restarts: 0,
        nextTryAt: undefined,
        pid: expect.any(Number),
      },
      expect.objectContaining({ name: 'memory', state: 'idle', tools: [], pid: undefined }),
    ]);
  });

  it('returns text, images, resources, links and structured content', async () => {
    const harness = new McpHarness([server('everything', fromNpm('everything'))]);
    expect(await harness.text('everything', 'get-sum', { a: 19, b: 23 })).toContain('42');
    expect((await harness.call('everything', 'get-tiny-image')).content).toEqual([
      { type: 'text', text: expect.any(String) },
      {
        type: 'image',
        source: { type: 'base64', media_type: 'image/png', data: expect.stringMatching(/^iVBORw0KGgo/) },
      },
      { type: 'text', text: expect.any(String) },
    ]);
    const weather = await harness.text('everything', 'get-structured-content', { location: 'Chicago' });
    expect(JSON.parse(weather)).toMatchObject({ temperature: 36 });
    expect(await harness.text('everything', 'get-resource-links', { count: 2 })).toMatch(/demo:\/\/resource/);
    expect(
      await harness.text('everything', 'get-resource-reference', { resourceType: 'Text', resourceId: 1 }),
    ).toMatch(/\[Resource demo:\/\/resource/);
  });

  it('passes progress on while a call runs', async () => {
    const harness = new McpHarness([server('everything', fromNpm('everything'))]);
    const call = await harness.begin('everything', 'trigger-long-running-operation', {
      duration: 0.3,
      steps: 3,
    });
    expect((await call.result).content).toContain('completed');
    expect(call.progress).toEqual(expect.arrayContaining(['1 of 3', '2 of 3']));
  });

  it('returns the error of the server for a wrong input', async () => {
    const harness = new McpHarness([server('everything', fromNpm('everything'))]);
    const { failed, content } = await harness.call('everything', 'get-sum', { a: 'one' });
    expect(failed).toBe(true);
    expect(content).toMatch(/expected number/i);
  });

  it('reads and writes through the file system server, only inside its folder', async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'note.txt'), 'Buy flour.');
    const harness = new McpHarness([server('files', fromNpm('filesystem', folder))]);
    expect(await harness.text('files', 'read_text_file', { path: join(folder, 'note.txt') })).toContain(
      'Buy flour.',
    );
    await harness.text('files', 'write_file', { path: join(folder, 'new.txt'), content: 'Done.' });
    expect(readFileSync(join(folder, 'new.txt'), 'utf8')).toBe('Done.');
    const { failed, content } = await harness.call('files', 'read_text_file', { path: '/etc/hostname' });
    expect(failed).toBe(true);
    expect(content).toMatch(/denied|outside/i);
  });

  it('remembers through the memory server across a restart of Parley', async () => {
    const memory = {
      ...fromNpm('memory'),
      env: { MEMORY_FILE_PATH: join(tempFolder(), 'memory.jsonl') },
    };
    const first = new McpHarness([server('memory', memory)]);
    const entities = [{ name: 'Mia', entityType: 'child', observations: ['likes plums'] }];
    await first.text('memory', 'create_entities', { entities });
    await first.tools.close();
    const second = new McpHarness([server('memory', memory)]);
    expect(await second.text('memory', 'search_nodes', { query: 'plums' })).toContain('Mia');
  });

  it('lets the memory server and the file system server work side by side', async () => {
    const folder = tempFolder();
    const harness = new McpHarness([
      server('memory', { ...fromNpm('memory'), env: { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') } }),
      server('files', fromNpm('filesystem', folder)),
    ]);
    const [graph, listing] = await Promise.all([
      harness.text('memory', 'read_graph'),
      harness.text('files', 'list_directory', { path: folder }),
    ]);
    expect([graph, listing]).toEqual([expect.stringContaining('entities'), expect.any(String)]);
  });

  it('leaves no process behind when it closes', async () => {
    const harness = new McpHarness([server('everything', fromNpm('everything'))]);
    await harness.list('everything');
    const { pid = 0 } = harness.status('everything');
    expect(isAlive(pid)).toBe(true);
    await harness.tools.close();
    await vi.waitUntil(() => !isAlive(pid), patience);
  });
});
