// Claude Code sessions of another machine are deleted and archived there, because that is where their transcripts are.
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createClusterCodeSessions } from '../../src/cluster/cluster-code-sessions.ts';
import { onlyOwnSessions } from '../../src/domain/access.ts';
import { toSessionView } from '../../src/domain/code-session-view.ts';
import type { CodeSession, CodeSessionQuery, CodeSessions } from '../../src/domain/code-sessions.ts';

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

const codeSession = (title: string, updatedAt: number): CodeSession => ({
  id: randomUUID(),
  title,
  firstPrompt: undefined,
  workingDir: '/work',
  gitBranch: undefined,
  createdAt: 0,
  updatedAt,
  status: 'archived',
  mode: 'ui',
  isArchived: false,
  isWorking: false,
  isWaiting: false,
  costUsd: undefined,
  sizeBytes: 0,
  sandbox: { kind: 'none', reason: 'unsupported', required: false },
});

describe('a machine that does not answer', () => {
  const here = [5, 3, 1].map((updatedAt) => codeSession(`here ${updatedAt}`, updatedAt));
  const there = codeSession('there 2', 2);

  /** The titles in all pages, if the other machine doesn't answer the first so many times. */
  async function titles(missed: number): Promise<string[]> {
    let asked = 0;
    const local = {
      list: async (_: unknown, { cursor = '0' }: CodeSessionQuery) => {
        const next = Number(cursor) + 1;
        return { sessions: here.slice(next - 1, next), ...(next < here.length && { next: String(next) }) };
      },
    } as unknown as CodeSessions;
    const sessions = createClusterCodeSessions({
      local,
      here: 'a',
      machines: {
        others: async () => [other],
        serverOfSession: async () => undefined,
        async ask<T>(): Promise<T> {
          asked += 1;
          if (asked <= missed) throw new Error('no answer in time');
          return { sessions: [toSessionView(there)], next_cursor: null } as T;
        },
      },
      records: { onOtherMachines: async () => [] },
      access: onlyOwnSessions,
    });
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await sessions.list('ada', { limit: 1, ...(cursor !== undefined && { cursor }) });
      found.push(...page.sessions.map(({ title }) => title));
      cursor = page.next;
    } while (cursor !== undefined);
    return found;
  }

  it('is asked again for the next page [cluster.machine.list]', async () => {
    expect(await titles(1)).toEqual(['here 5', 'here 3', 'there 2', 'here 1']);
  });

  it('does not keep the list from ending', async () => {
    expect(await titles(Number.POSITIVE_INFINITY)).toEqual(['here 5', 'here 3', 'here 1']);
  });
});

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
