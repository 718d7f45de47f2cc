// Pins, tags, the archive, and deleting with undo: a real gateway on a real database.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ParleyError, type Session } from '@parley/protocol';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { onlyOwnSessions } from '../../src/domain/access.ts';
import { silentLogger } from '../../src/domain/logger.ts';
import { toListOptions } from '../../src/domain/session-marks.ts';
import { createOrganizer, type RunningOrganizer } from '../../src/gateway/organizer.ts';
import { endOf, type Harness, readUntil, say, scripted, startHarness } from '../support/gateway-harness.ts';

const folder = mkdtempSync(join(tmpdir(), 'parley-organizer-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const undoMs = 30_000;
let now = 1_000_000;
let files = 0;
let file: string;
let harness: Harness;
let organizer: RunningOrganizer;

const warnings: unknown[] = [];

async function open(unreachable?: Error): Promise<void> {
  harness = await startHarness({ file });
  organizer = createOrganizer({
    store: harness.store.marks,
    branches: harness.store.branches,
    gateway: {
      ...harness.gateway,
      ...(unreachable && { deleteSession: () => Promise.reject(unreachable) }),
    },
    codeSessions: undefined,
    access: onlyOwnSessions,
    clock: { now: () => now },
    logger: { ...silentLogger, warn: (...entry: unknown[]) => warnings.push(entry) },
    // Tests decide when.
    timers: { now: () => now, after: () => () => undefined },
    undoMs,
  });
}

async function close(): Promise<void> {
  await organizer.close();
  await harness.close();
}

beforeEach(async () => {
  files += 1;
  file = join(folder, `${files}.db`);
  await open();
});
afterEach(close);

const restart = async () => {
  await close();
  await open();
};
const create = (person = 'ada'): Promise<Session> => harness.gateway.createSession(person, scripted);
const listed = async (filter: Parameters<typeof toListOptions>[1] = {}, person = 'ada') => {
  const marks = await organizer.marks(person);
  const { sessions } = await harness.gateway.listSessions(person, {
    limit: 50,
    ...toListOptions(marks, filter),
  });
  return sessions.map(({ id }) => id);
};
const missing = { code: 'not_found' };

describe('organizing sessions', () => {
  it('pins, tags and archives them for one person, and survives a restart [app.organize.marks.own]', async () => {
    const [one, two, three] = [await create(), await create(), await create()];
    await organizer.mark('ada', [one.id, two.id], { isPinned: true, addTags: ['garden', 'beans'] });
    await organizer.mark('ada', [two.id], { removeTags: ['beans'], isPinned: false });
    await organizer.mark('ada', [three.id], { isArchived: true });
    await restart();
    expect(await listed({ pinned: true })).toEqual([one.id]);
    expect((await listed({ tag: 'garden' })).toSorted()).toEqual([one.id, two.id].toSorted());
    expect(await listed({ tag: 'beans' })).toEqual([one.id]);
    expect(await listed({ archived: true })).toEqual([three.id]);
    expect((await listed()).toSorted()).toEqual([one.id, two.id].toSorted());
    expect((await organizer.marks('bea')).size).toBe(0);
    await organizer.mark('ada', [three.id], { isArchived: false });
    expect(await listed()).toContain(three.id);
  });

  it('touches nothing of others [app.organize.marks.own]', async () => {
    const { id } = await create('bea');
    await expect(organizer.mark('ada', [id], { isPinned: true })).rejects.toMatchObject(missing);
    await expect(organizer.remove('ada', [id])).rejects.toMatchObject(missing);
    expect(await organizer.restore('ada', [id])).toEqual([]);
    await organizer.remove('bea', [id]);
    expect(await organizer.restore('ada', [id])).toEqual([]);
    expect(await organizer.restore('bea', [id])).toEqual([id]);
  });
});

describe('a search', () => {
  it('finds only what has the tag or is archived, if asked to [app.organize.search]', async () => {
    const ids: string[] = [];
    for (const text of ['text 1', 'text 2', 'text 3']) {
      const prompt = { person: 'ada', session: scripted, prompt: say(text), door: 'browser' };
      const { session, turnId, after } = await harness.gateway.prompt(prompt);
      await readUntil(harness.gateway, 'ada', session.id, after, endOf(turnId));
      ids.push(session.id);
    }
    const [tagged = '', archived = ''] = ids;
    await organizer.mark('ada', [tagged], { addTags: ['work'] });
    await organizer.mark('ada', [archived], { isArchived: true });
    const found = async (filter: Parameters<typeof toListOptions>[1]) => {
      const { only } = toListOptions(await organizer.marks('ada'), filter);
      const among = only && new Set(only);
      return (await harness.gateway.search('ada', 'text', 10, among)).map(({ session }) => session.id);
    };
    expect(new Set(await found({}))).toEqual(new Set(ids));
    expect(await found({ tag: 'work' })).toEqual([tagged]);
    expect(await found({ archived: true })).toEqual([archived]);
    expect(await found({ tag: 'nothing' })).toEqual([]);
  });
});

describe('deleting sessions', () => {
  it('hides them at once, and brings them back as they were [app.organize.delete.undo]', async () => {
    const { session, turnId, after } = await harness.gateway.prompt({
      person: 'ada',
      session: scripted,
      prompt: say('text 1'),
      door: 'browser',
    });
    const { id } = session;
    await readUntil(harness.gateway, 'ada', id, after, endOf(turnId));
    await organizer.mark('ada', [id], { isPinned: true });
    expect(await organizer.remove('ada', [id])).toEqual({ removed: [id], busy: [], until: now + undoMs });
    expect(await listed()).toEqual([]);
    expect(await harness.gateway.search('ada', 'text', 10)).toEqual([]);
    await expect(harness.gateway.getSession('ada', id)).rejects.toMatchObject(missing);
    const prompt = { person: 'ada', session: id, prompt: say('More'), door: 'browser' };
    await expect(harness.gateway.prompt(prompt)).rejects.toMatchObject(missing);
    await restart();
    now += undoMs - 1;
    await organizer.sweep();
    expect(await organizer.restore('ada', [id])).toEqual([id]);
    expect(await listed({ pinned: true })).toEqual([id]);
    expect(await harness.gateway.turns('ada', id)).toMatchObject([{ id: turnId, status: 'completed' }]);
  });

  it('is final when the time is up, even after a restart [app.organize.delete.final]', async () => {
    const [gone, stays] = [await create(), await create()];
    await organizer.remove('ada', [gone.id]);
    await restart();
    now += undoMs;
    expect(await organizer.restore('ada', [gone.id])).toEqual([]);
    await organizer.sweep();
    expect(await harness.store.getSession(gone.id)).toBeUndefined();
    expect((await harness.store.marks.hidden()).size).toBe(0);
    expect(await listed()).toEqual([stays.id]);
  });

  it('continues after a crash in the middle of it [app.organize.delete.final]', async () => {
    const { id } = await create();
    await organizer.remove('ada', [id]);
    now += undoMs;
    // The time was up, and then the server stopped.
    await harness.store.marks.takeDue(now);
    await restart();
    expect(await organizer.restore('ada', [id])).toEqual([]);
    await organizer.sweep();
    expect(await listed()).toEqual([]);
  });

  it('is tried again while the session’s machine is absent, without listing it or filling the log', async () => {
    const { id } = await create();
    await organizer.remove('ada', [id]);
    now += undoMs;
    warnings.length = 0;
    await close();
    await open(new ParleyError('unavailable', 'Parley is not running there.'));
    for (let round = 0; round < 3; round += 1) await organizer.sweep();
    expect(await listed()).toEqual([]);
    expect(warnings).toHaveLength(1);
    await restart();
    await organizer.sweep();
    expect(await harness.store.getSession(id)).toBeUndefined();
  });

  it('leaves a session alone that works or has prompts waiting [app.organize.delete.working]', async () => {
    const [working, idle] = [await create(), await create()];
    const asks = { person: 'ada', session: working.id, prompt: say('ask Bash'), door: 'browser' };
    await harness.gateway.prompt(asks);
    await expect
      .poll(async () => (await harness.gateway.state('ada', working.id)).permissions)
      .toHaveLength(1);
    const { removed, busy } = await organizer.remove('ada', [working.id, idle.id]);
    expect({ removed, busy }).toEqual({ removed: [idle.id], busy: [working.id] });
    expect(await harness.gateway.getSession('ada', working.id)).toMatchObject({ id: working.id });
  });
});
