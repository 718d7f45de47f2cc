// Claude Code sessions of another machine are deleted and archived there, because that is where their transcripts are.
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createClusterCodeSessions } from '../../src/cluster/cluster-code-sessions.ts';
import { onlyOwnSessions } from '../../src/domain/access.ts';
import type { CodeSessions } from '../../src/domain/code-sessions.ts';

const other = { id: 'b', machine: 'b', url: 'http://b' };

function sessionsOf(here: string) {
  const done: string[] = [];
  const local = {
    remove: async (_: unknown, id: string) => void done.push(`remove ${id} here`),
  } as unknown as CodeSessions;
  const sessions = createClusterCodeSessions({
    local,
    here: 'a',
    machines: {
      others: async () => [other],
      serverOfSession: async (_, id) => (id === here ? undefined : other),
      async ask<T>(server: { id: string }, actor: unknown, path: string, options = {}): Promise<T> {
        done.push(`${JSON.stringify(options)} ${path} on ${server.id} for ${String(actor)}`);
        return { id: path.split('/').at(-1) } as T;
      },
    },
    records: { onOtherMachines: async () => [] },
    access: onlyOwnSessions,
  });
  return { sessions, done };
}

describe('a Claude Code session of another machine', () => {
  it('is deleted and archived there [cluster.machine.delete]', async () => {
    const [here, there] = [randomUUID(), randomUUID()];
    const { sessions, done } = sessionsOf(here);
    await sessions.remove('ada', here);
    await sessions.remove('ada', there);
    await sessions.archive('ada', there, true);
    expect(done).toEqual([
      `remove ${here} here`,
      `{"method":"DELETE"} /api/claude/sessions/${there} on b for ada`,
      `{"method":"PATCH","body":{"archived":true}} /api/claude/sessions/${there} on b for ada`,
    ]);
  });
});
