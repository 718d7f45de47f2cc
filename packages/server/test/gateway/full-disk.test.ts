// What becomes of a turn when the disk fills up while it runs.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Envelope } from '@parley/protocol';
import Database from 'libsql';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { leap } from '../../src/gateway/recovery.ts';
import { type Connection, openConnection } from '../../src/stores/sqlite/connection.ts';
import { migrate } from '../../src/stores/sqlite/migrations.ts';
import { createSqliteStore, openSqliteStore } from '../../src/stores/sqlite/store.ts';
import { allMessages } from '../stores/fixtures.ts';
import { endOf, type Harness, readUntil, say, scripted, startHarness } from '../support/gateway-harness.ts';

const person = 'petra';
const patience = { timeout: 60_000, interval: 50 };
let folder: string;
let file: string;
let connection: Connection;
let harness: Harness;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parley-full-disk-'));
  file = join(folder, 'parley.db');
  connection = openConnection({ file });
  await migrate(connection);
  harness = await startHarness({ store: createSqliteStore(connection) });
});

afterEach(async () => {
  await harness.close();
  rmSync(folder, { recursive: true, force: true });
});

/** SQLite then answers as it does when the disk is full: SQLITE_FULL. */
const fillDisk = () => connection.exec('PRAGMA max_page_count = 1');
const makeRoom = () => connection.exec('PRAGMA max_page_count = 1000000');

/** Starts a turn that waits for a permission before it takes these steps. */
async function asking(steps: string) {
  const { gateway } = harness;
  const prompt = say(`ask Bash | ${steps}`);
  const admitted = await gateway.prompt({ person, session: scripted, prompt, door: 'test' });
  const { session, turnId, after } = admitted;
  const asked = await vi.waitUntil(
    async () => (await gateway.state(person, session.id)).permissions[0],
    patience,
  );
  return {
    id: session.id,
    turnId,
    async answered(): Promise<Envelope[]> {
      await gateway.decide(person, session.id, asked.id, { behavior: 'allow', scope: 'once' });
      return readUntil(gateway, person, session.id, after, endOf(turnId));
    },
    turn: async () => (await gateway.turns(person, session.id))[0],
  };
}

const noticesIn = (envelopes: readonly Envelope[]) =>
  envelopes.flatMap(({ event }) =>
    event.type === 'notice' && event.code !== 'decision' ? [event.code] : [],
  );

describe('an answer that does not fit on the disk', () => {
  it('says so, and is saved as soon as there is room [notes.session.full-disk]', async () => {
    const asked = await asking('text 400');
    fillDisk();
    const live = await asked.answered();
    expect(noticesIn(live)).toEqual(['not-saved']);
    expect(live.slice(-2).map(({ event }) => event.type)).toEqual(['notice', 'turn.ended']);
    const end = live.at(-1)?.event;
    expect(end).toMatchObject({ type: 'turn.ended', outcome: 'completed' });
    expect(await asked.turn()).toMatchObject({ status: 'running', text: '' });

    makeRoom();
    await vi.waitUntil(async () => (await asked.turn())?.status === 'completed', patience);
    const text = end?.type === 'turn.ended' ? end.text : '';
    expect(text).toContain('w399');
    expect(await asked.turn()).toMatchObject({ text });
    await harness.close();
    const reopened = await openSqliteStore({ file });
    try {
      const roles = (await allMessages(reopened, asked.id)).map(({ role }) => role);
      expect(roles).toEqual(['user', 'assistant']);
      const stored = await reopened.eventsAfter(asked.id, 0, 10_000);
      expect(stored).toEqual(live);
      expect(stored.map(({ seq }) => seq)).toEqual(stored.map((_, index) => index + 1));
    } finally {
      await reopened.close();
    }
  });

  it('is saved even if another one can no longer be', async () => {
    const [first, second] = [await asking('text 200'), await asking('text 200')];
    fillDisk();
    await Promise.all([first.answered(), second.answered()]);
    makeRoom();
    // Not through the gateway, which would store what is missing first.
    await harness.store.deleteSession(first.id);
    await vi.waitUntil(async () => (await second.turn())?.status === 'completed', patience);
    expect(await allMessages(harness.store, second.id)).toHaveLength(2);
  });

  it('runs no tool whose start cannot be stored', async () => {
    const asked = await asking(`begin ${'x'.repeat(200_000)} | tool`);
    fillDisk();
    const end = (await asked.answered()).at(-1)?.event;
    expect(end).toMatchObject({
      outcome: 'failed',
      error: { code: 'unavailable', message: expect.stringContaining('is full') },
    });
    expect(harness.engine.toolRuns.get(asked.turnId)).toBeUndefined();
    makeRoom();
    await vi.waitUntil(async () => (await asked.turn())?.status === 'failed', patience);
  });

  it('does not keep the conversation from being read', async () => {
    const asked = await asking('text 400');
    fillDisk();
    const live = await asked.answered();
    const again = await readUntil(harness.gateway, person, asked.id, 0, endOf(asked.turnId));
    expect(again).toEqual(live);
  });
});

describe('an answer whose pieces are no longer stored one by one', () => {
  it('never gets further ahead of the store than numbers leap after a crash [cluster.numbers.leap]', async () => {
    const { gateway, store } = harness;
    connection.exec('PRAGMA busy_timeout = 10');
    const blocker = new Database(file);
    // More than is stored in pieces, then a pause, then pieces that only readers get.
    const asked = await asking('flood 70 | ask Bash | text 6000');
    const reading = asked.answered();
    const second = await vi.waitUntil(async () => {
      const [open] = (await gateway.state(person, asked.id)).permissions;
      return open?.request.tool === 'Bash' && (await store.lastSeq(asked.id)) > 60 ? open : undefined;
    }, patience);
    // Nothing can be written, not even what still fits into a page.
    // Another write may be under way at first.
    await vi.waitFor(() => blocker.exec('BEGIN IMMEDIATE'), patience);
    await gateway.decide(person, asked.id, second.id, { behavior: 'allow', scope: 'once' });
    const live = await reading;
    const seen = live.at(-1)?.seq ?? 0;
    expect(seen - (await store.lastSeq(asked.id))).toBeLessThan(leap);
    blocker.exec('ROLLBACK');
    blocker.close();
    await vi.waitUntil(async () => (await asked.turn())?.status === 'failed', patience);
  });

  it('is not held up while the store keeps up', async () => {
    const asked = await asking('flood 70 | text 6000');
    const end = (await asked.answered()).at(-1)?.event;
    expect(end).toMatchObject({ type: 'turn.ended', outcome: 'completed' });
  });
});
