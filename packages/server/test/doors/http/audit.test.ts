// The audit log over HTTP: who may see it, how it is searched, and its export.
import { AuditEntry, say } from '@parley/protocol';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import type { AuditQuery } from '../../../src/domain/audit-log.ts';
import { silentLogger } from '../../../src/domain/logger.ts';
import { collect, gate, linesOf, startDoor } from './door-harness.ts';

async function start() {
  const door = await startDoor();
  onTestFinished(() => door.stop());
  for (let count = 1; count <= 5; count += 1)
    await door.store.audit.add(
      count,
      {
        action: count % 2 ? 'login' : 'login.failed',
        person: count < 3 ? 'petra' : 'sebastian',
        detail: say`no ${count}`,
      },
      100,
    );
  const page = async (query: string) => {
    const response = await door.fetch(`/api/audit?${query}`);
    const body = z.object({ entries: z.array(AuditEntry), before: z.number().nullable() });
    const { entries, before } = body.parse(await response.json());
    return { times: entries.map(({ at }) => at), before };
  };
  return { door, page };
}

/** As many entries as the export reads at once, so that it reads on after them. */
function fullPage(): AuditEntry[] {
  const login = { at: 1, action: 'login', person: null, subject: null, detail: null, address: null } as const;
  return Array.from({ length: 500 }, (_, index) => ({ id: 1_000 - index, ...login }));
}

describe('the audit log', () => {
  it('is searched by text, person, action and time, in pages [team.audit.search]', async () => {
    const { page } = await start();
    const first = await page('limit=2');
    expect(first.times).toEqual([5, 4]);
    const second = await page(`limit=2&before=${first.before}`);
    expect(second.times).toEqual([3, 2]);
    expect(await page(`limit=2&before=${second.before}`)).toEqual({ times: [1], before: null });
    expect((await page('by=petra')).times).toEqual([2, 1]);
    expect((await page('action=login.failed')).times).toEqual([4, 2]);
    expect((await page('q=NO%203')).times).toEqual([3]);
    expect((await page('from=2&until=4')).times).toEqual([3, 2]);
  });

  it('is exported as one entry per line [team.audit.export]', async () => {
    const { door } = await start();
    const response = await door.fetch('/api/audit/export?by=sebastian');
    expect(response.headers.get('content-disposition')).toContain('attachment');
    const lines = (await collect(linesOf(response))).filter((line) => line !== '');
    expect(lines.map((line) => AuditEntry.parse(JSON.parse(line)).at)).toEqual([5, 4, 3]);
  });

  it('cuts the connection and logs the failure if the rest cannot be read [team.audit.export]', async () => {
    const errors: unknown[] = [];
    const page = fullPage();
    const search = async ({ before }: AuditQuery) => {
      if (before !== undefined) throw new Error('the disk is gone');
      return page;
    };
    const door = await startDoor({
      auditEntries: { search },
      logger: { ...silentLogger, error: ({ err }) => void errors.push(err) },
    });
    onTestFinished(() => door.stop());
    const response = await door.fetch('/api/audit/export');
    await expect(response.text()).rejects.toThrow('terminated');
    expect(errors).toEqual([new Error('the disk is gone')]);
  });

  it('contains nothing but entries, however long they take [team.audit.export]', async () => {
    const reading = gate();
    const page = fullPage();
    const search = async ({ before }: AuditQuery) => {
      if (before === undefined) return page;
      await reading.opened;
      return [];
    };
    const door = await startDoor({ auditEntries: { search }, pingMs: 5 });
    onTestFinished(() => door.stop());
    const response = await door.fetch('/api/audit/export');
    // This stream started later, so when its second ping arrives, the export could have had one.
    door.engine.scripts.set('wait', async function* () {
      await reading.opened;
      yield { type: 'text.delta', text: 'done' };
    });
    const other = linesOf(await door.post('/api/claude/chat-stream', { message: 'wait' }));
    for (let pings = 0; pings < 2; ) if ((await other.next()).value?.includes('ping')) pings += 1;
    reading.open();
    const lines = (await response.text()).trimEnd().split('\n');
    expect(lines.map((line) => AuditEntry.parse(JSON.parse(line)).id)).toEqual(page.map(({ id }) => id));
  });

  it('is only for those with the right to it [team.audit.right]', async () => {
    const { door } = await start();
    door.people.update({ accounts: [{ person: 'petra', role: 'owner', assistants: [], createdAt: 1 }] });
    for (const path of ['/api/audit', '/api/audit/export']) expect((await door.fetch(path)).status).toBe(403);
  });
});
