// How much is stored for each person, however it is added and removed.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { migrations } from '../../src/stores/sqlite/migrations.ts';
import { openSqliteStore, type SqliteStore } from '../../src/stores/sqlite/store.ts';
import { aMessage, aSession, aTurn, deltas } from './fixtures.ts';

let folder: string;
let store: SqliteStore;
const file = () => join(folder, 'parley.db');
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-storage-'));
  store = await openSqliteStore({ file: file() });
});
afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

const ofAnna = () => store.storedBytes('anna');

async function fill(person: string) {
  const session = aSession({ person });
  const turn = aTurn(session);
  await store.admit(turn, session, { newSession: true });
  await store.appendMessages(session.id, turn.id, [aMessage('assistant', 'ä'.repeat(1_000))]);
  await store.appendEvents(deltas(session.id, 1, 1_000));
  await store.updateTurn(turn.id, { text: 'x'.repeat(500) });
  return session;
}

it('is the size of prompts, answers, messages and events [team.storage.counted]', async () => {
  expect(await ofAnna()).toBe(0);
  const session = aSession();
  const turn = aTurn(session, {
    prompt: [{ type: 'image', mediaType: 'image/png', data: 'A'.repeat(9_000) }],
  });
  await store.admit(turn, session, { newSession: true });
  const admitted = await ofAnna();
  expect(admitted).toBeGreaterThan(9_000);
  await store.updateTurn(turn.id, { text: 'x'.repeat(500) });
  expect(await ofAnna()).toBe(admitted + 500);
  await store.updateTurn(turn.id, { text: 'x' });
  await store.appendMessages(session.id, turn.id, [aMessage('assistant', 'ä'.repeat(1_000))]);
  expect((await ofAnna()) - admitted).toBeGreaterThan(2_000);
  const before = await ofAnna();
  await store.appendEvents(deltas(session.id, 1, 1_000));
  const most = await ofAnna();
  expect(most - before).toBeGreaterThan(50_000);
  await store.pruneEvents(session.id, 500);
  const pruned = await ofAnna();
  expect(pruned).toBeGreaterThan(before);
  expect(pruned).toBeLessThan(most - 20_000);
  await store.pruneEvents(session.id, 1_000);
  expect((await ofAnna()) - before).toBeLessThan(10);
});

it('is freed when sessions are deleted, but only for the person who owned them [team.storage.counted]', async () => {
  const [own, other] = [await fill('anna'), await fill('ben')];
  const ofBen = await store.storedBytes('ben');
  expect(await ofAnna()).toBe(ofBen);
  await store.deleteSession(own.id);
  expect([await ofAnna(), await store.storedBytes('ben')]).toEqual([0, ofBen]);
  await store.deleteSession(other.id);
  expect(await store.storedBytes('ben')).toBe(0);
});

it('includes what an earlier version stored [team.storage.counted]', async () => {
  await fill('anna');
  await fill('anna');
  const counted = await ofAnna();
  await store.close();
  const db = new Database(file());
  const rows = db
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name LIKE 'stored%'")
    .all();
  for (const { name } of rows as { name: string }[]) db.exec(`DROP TRIGGER ${name}`);
  db.exec('DROP TABLE stored_sessions; DROP TABLE stored_people;');
  db.exec(migrations.find(({ name }) => name === 'how much is stored for each person')?.sql ?? '');
  db.close();
  store = await openSqliteStore({ file: file() });
  expect(await ofAnna()).toBe(counted);
});
