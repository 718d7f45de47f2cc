// `parley migrate` as a real process, which is killed and interrupted while it works.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { runSql } from '@parley/stand-ins/postgres';
import Database from 'libsql';
import { expect, it, vi } from 'vitest';
import { databaseFile } from '../../src/config/files.ts';
import { openSqliteStore } from '../../src/stores/sqlite/store.ts';
import { settle } from '../stores/filled-home.ts';
import { aSession, aTurn } from '../stores/fixtures.ts';
import { usePostgres } from '../stores/postgres-database.ts';
import { freshPlace, parley } from './parley-process.ts';

const postgres = usePostgres();
const messages = 60_000;
const environment = { ANTHROPIC_API_KEY: 'not-used' };

async function largeHome(dataDir: string): Promise<void> {
  mkdirSync(dataDir);
  const file = databaseFile({ dataDir });
  const store = await openSqliteStore({ file });
  const session = aSession();
  const turn = aTurn(session, { status: 'completed' });
  await store.admit(turn, session, { newSession: true });
  await store.close();
  const db = new Database(file);
  db.prepare(
    `WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ?)
     INSERT INTO messages (session_id, turn_id, role, content)
     SELECT ?, ?, 'user', '[{"type":"text","text":"message ' || n || '"}]' FROM counted`,
  ).run([messages, session.id, turn.id]);
  db.close();
  settle(file);
}

it('continues after kill -9 and Ctrl-C, and says what to set next [cluster.migrate.continues]', async () => {
  const { user, start, run, serve } = freshPlace(parley);
  const home = join(user, 'home');
  await largeHome(home);
  const url = await postgres().createDatabase();
  const args = ['migrate', '--to', url, '--home', home];
  const copied = async () => {
    const [row] = await runSql(url, 'SELECT count(*)::int AS rows FROM messages').catch(() => []);
    return Number(row?.['rows'] ?? 0);
  };
  let before = 0;
  for (const [signal, words] of [
    ['SIGKILL', ''],
    ['SIGINT', 'Stopped. Run the same command again to continue.'],
  ] as const) {
    const moving = start(args);
    await vi.waitFor(async () => expect(await copied()).toBeGreaterThan(before), {
      timeout: 60_000,
      interval: 5,
    });
    const { code, stderr } = await moving.stop(signal);
    expect(code).not.toBe(0);
    expect(stderr).toContain(words);
    before = await copied();
    expect(before).toBeLessThan(messages);
  }
  const refused = await run(['serve', '--port', '0', '--home', join(user, 'other')], {
    ...environment,
    PARLEY_DATABASE_URL: url,
  });
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('Run parley migrate again') });

  const { code, stdout, stderr } = await run(args);
  expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('comparing messages') });
  expect(stdout).toContain('Moved 60,003 rows in 30 tables');
  expect(stdout).toContain('Set PARLEY_DATABASE_URL');
  expect(stdout + stderr).not.toContain('loopback-only');
  expect(await copied()).toBe(messages);
  await serve(['--home', home], { ...environment, PARLEY_DATABASE_URL: url });
  expect((await run(args)).stderr).toContain('A server is using');
}, 240_000);

it('says what is wrong with the address [cluster.migrate.refuses]', async () => {
  const { user, run } = freshPlace(parley);
  const home = join(user, 'home');
  mkdirSync(home);
  const to = (address: string) => run(['migrate', '--to', address, '--home', home]);
  expect(await run(['migrate', '--home', home])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--to'),
  });
  expect((await to('mysql://x/y')).stderr).toContain('postgres://parley:password@localhost:5432/parley');
  expect((await to('postgres://x@127.0.0.1/y')).stderr).toContain('There is no SQLite database');
  await openSqliteStore({ file: databaseFile({ dataDir: home }) }).then((store) => store.close());
  const { code, stderr } = await to('postgres://parley:geheim@127.0.0.1:1/parley');
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/^parley: .*does not answer.*\n$/),
  });
  expect(stderr).not.toContain('geheim');
}, 120_000);
