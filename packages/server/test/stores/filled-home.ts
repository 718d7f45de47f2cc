// A home in SQLite with something in every table.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { noUsage, type Session } from '@parley/protocol';
import { openRecipes, seedRecipes } from '@parley/recipe-vault';
import Database from 'libsql';
import { onTestFinished } from 'vitest';
import { databaseFile, recipesFile, sessionMapFile } from '../../src/config/files.ts';
import { openSqliteStore, type SqliteStore } from '../../src/stores/sqlite/store.ts';
import { aMessage, aSession, aTurn, deltas } from './fixtures.ts';

export interface FilledHome {
  readonly dataDir: string;
  readonly sessionStorePath: undefined;
  readonly session: Session;
  /** Its prompt was being answered when the server was killed. */
  readonly cutOff: Session;
  readonly code: Session;
  readonly chat: string;
}

export const searched = 'Zimtschnecken';

export async function filledHome(): Promise<FilledHome> {
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-home-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const home = { dataDir, sessionStorePath: undefined };
  const store = await openSqliteStore({ file: databaseFile(home) });
  const sessions = await fillConversations(store);
  await store.accounts.create({ person: 'anna', role: 'owner', assistants: [], createdAt: 1.5 }, {});
  const at = Date.UTC(2026, 10, 17);
  await store.usage.record({
    at,
    person: 'anna',
    sessionId: sessions.session.id,
    engine: 'messages-api',
    door: 'http',
    model: 'm',
    usage: { ...noUsage, inputTokens: 7, costUsd: 0.1 + 0.2 },
  });
  await store.budgets.putRule('r', { scope: 'person', period: 'day', unit: 'usd', limit: 2.5 });
  await store.budgets.addWarning('w', '2026-11-17');
  await store.close();
  fillByHand(databaseFile(home));

  const recipes = await openRecipes({ file: recipesFile(home) });
  await seedRecipes(recipes);
  await recipes.close();
  settle(recipesFile(home));
  const chat = 'telegram:42';
  const map = {
    'telegram:7': { sessionId: sessions.code.id, updatedAt: '2026-11-17T09:00:00.000Z' },
    [chat]: { sessionId: sessions.session.id, updatedAt: '2026-11-17T10:00:00.000Z', extra: 1 },
    broken: { sessionId: 5 },
  };
  writeFileSync(sessionMapFile(home), JSON.stringify(map));
  return { ...home, ...sessions, chat };
}

async function fillConversations(store: SqliteStore) {
  const session = aSession({ title: 'Nul \0, a lone \ud800 and “quotes”' });
  const cutOff = aSession();
  const code = aSession({
    engine: 'claude-code',
    settings: { cwd: '/work', permissionMode: 'default' },
  } as never);
  await store.createSession(code);
  for (const [index, status] of (['completed', 'completed', 'queued'] as const).entries()) {
    const turn = aTurn(session, { status, text: `answer ${index}` });
    await store.admit(turn, session, { newSession: index === 0 });
    await store.together((unit) => {
      unit.appendMessages(session.id, turn.id, [
        aMessage('user', `${searched} ${index} \0 \ud800 \u{1f600}`),
        aMessage('assistant', 'x'.repeat(index === 1 ? 5 * 1024 * 1024 : 10)),
      ]);
      unit.appendEvents(deltas(session.id, index * 10 + 1, index * 10 + 10));
    });
  }
  const running = aTurn(cutOff, { status: 'running' });
  await store.admit(running, cutOff, { newSession: true });
  await store.appendEvents(deltas(cutOff.id, 1, 3));
  return { session, cutOff, code };
}

/** Rows whose content doesn't matter, in the tables that are still empty. */
function fillByHand(file: string): void {
  const db = new Database(file);
  db.exec('PRAGMA foreign_keys = OFF');
  const tables = db
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all([]) as { name: string }[];
  for (const { name } of tables) {
    if (/^(passage_|search_|stored_|usage_progress|migrations)/.test(name)) continue;
    if (db.prepare(`SELECT 1 FROM ${name} LIMIT 1`).all([]).length > 0) continue;
    const columns = db.prepare(`PRAGMA table_info(${name})`).all([]) as { name: string; type: string }[];
    const values = columns.map((column) => valueFor(column, db));
    db.prepare(`INSERT INTO ${name} VALUES (${columns.map(() => '?').join(', ')})`).run(values);
  }
  db.close();
  settle(file);
}

/** The driver would do this whenever memory is freed. */
export function settle(file: string): void {
  const db = new Database(file);
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
}

function valueFor({ name, type }: { name: string; type: string }, db: Database.Database): string | number {
  const one = (sql: string) =>
    Object.values((db.prepare(sql).all([]) as Record<string, string>[])[0] ?? {})[0] ?? '';
  if (name === 'session_id') return one('SELECT id FROM sessions LIMIT 1');
  if (name === 'person') return one('SELECT person FROM accounts LIMIT 1');
  // Where there can be one row only, its number is 1.
  if (type === 'INTEGER') return name === 'id' ? 1 : 3;
  if (type === 'REAL') return 1_700_000_000_000.25;
  return name === 'record' ? '{}' : randomUUID();
}
