// `npm run cluster` as a newcomer runs it.
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bundled, freshPlace, parley } from './parley-process.ts';

const command = new URL('../../../stand-ins/src/cluster/main.ts', import.meta.url);

describe('npm run cluster', () => {
  it('starts three servers behind one address, and Ctrl-C leaves nothing behind [cluster.command]', async () => {
    const place = freshPlace(await bundled(command));
    const program = place.start([parley], { PARLEY_PORT: '0' });
    const [, url = ''] = await program.says(/3 servers are ready behind (\S+)/);
    await program.says(/Ctrl-C stops everything/);
    const [, key = ''] = await program.says(/API key +(\S+)/);
    const [, folder = ''] = await program.says(/Data +(\S+)/);
    const processes = [...program.stdout.matchAll(/\(process (\d+)\)/g)].map(([, pid]) => Number(pid));
    expect(processes).toHaveLength(3);

    const headers = { 'x-api-key': key, 'x-notes-person': 'sebastian', 'content-type': 'application/json' };
    const chat = async (message: string, session?: string) => {
      const body = JSON.stringify({ message, ...(session !== undefined && { session_id: session }) });
      const response = await fetch(`${url}/api/claude/chat`, { method: 'POST', headers, body });
      return (await response.json()) as { session_id: string; response: string; history: unknown[] };
    };
    const first = await chat('What is on my shopping list?');
    expect(first.response).toContain('oat milk');
    // Each request goes to another server.
    await chat('And again?', first.session_id);
    expect((await chat('And again?', first.session_id)).history).toHaveLength(6);

    expect((await program.stop('SIGINT')).code).toBe(0);
    for (const pid of processes) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    expect(existsSync(folder)).toBe(false);
    await expect(fetch(url)).rejects.toThrow('fetch failed');
  }, 180_000);
});
