// What people read when something is wrong with the database or the other servers: one message at the start, the same in
// the doctor, and nothing lost while the server runs.
import { freePort } from '@parley/stand-ins';
import { runSql } from '@parley/stand-ins/postgres';
import { describe, expect, it } from 'vitest';
import { migrations } from '../../src/stores/postgres/migrations.ts';
import { openPostgresStore, outdatedDatabase } from '../../src/stores/postgres/store.ts';
import { usePostgres } from '../stores/postgres-database.ts';
import { freshPlace, type Place, parley } from './parley-process.ts';

const postgres = usePostgres();
const key = 'a-key-for-this-test';
const secret = 'a long secret of all servers';

async function prepared(): Promise<string> {
  const url = await postgres().createDatabase();
  await (await openPostgresStore({ url })).close();
  return url;
}

/** What `serve` and the doctor say about the same database. */
async function told(url: string): Promise<{ serve: string; doctor: string }> {
  const { run } = freshPlace(parley);
  const environment = { PARLEY_DATABASE_URL: url, PARLEY_DEMO: '1' };
  const [serve, doctor] = await Promise.all([
    run(['serve', '--port', '0'], environment),
    run(['doctor', '--json'], environment),
  ]);
  expect([serve.code, doctor.code]).toEqual([1, 1]);
  // A stack trace.
  expect(serve.stderr).not.toMatch(/^\s+at /m);
  expect(serve.stderr + doctor.stdout).not.toMatch(/loopback-only|wr0ng-pass/);
  const { checks } = JSON.parse(doctor.stdout) as {
    checks: { check: string; state: string; detail: string }[];
  };
  const found = checks.find(({ check, state }) => state === 'broken' && /Database|Configuration/.test(check));
  return { serve: serve.stderr, doctor: found?.detail ?? '' };
}

// The messages themselves are tested in ../stores/postgres-faults.test.ts.
describe('a server does not start, and says why in one message', { timeout: 180_000 }, () => {
  it.each([
    ['the address is wrong', async () => 'mysql://parley@127.0.0.1/parley', 'PostgreSQL address'],
    [
      'the password is wrong',
      async () => postgres().url().replace('loopback-only', 'wr0ng-pass'),
      'refuses the user',
    ],
    [
      'the schema is newer',
      async () => {
        const url = await prepared();
        await runSql(url, "INSERT INTO parley_migrations VALUES (99, 'of tomorrow', now())");
        return url;
      },
      'newer version of Parley (schema 99',
    ],
    [
      'the database is read-only',
      async () => {
        const url = await prepared();
        await runSql(
          url,
          `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET default_transaction_read_only = on`,
        );
        return url;
      },
      'is read-only',
    ],
  ])('when %s [cluster.problems.start]', async (_, address, words) => {
    const { serve, doctor } = await told(await address());
    expect(serve).toContain(words);
    expect(doctor).toContain(words);
    expect(serve.match(/Parley did not start/g)).toHaveLength(1);
  });

  it('when another server has a different secret, or one of them has none [cluster.problems.secret]', async () => {
    const url = await prepared();
    const place = freshPlace(parley);
    const first = await serveHere(place, url);
    const other = freshPlace(parley);
    const start = (given: Record<string, string>) =>
      other.run(['serve', '--port', '0'], { PARLEY_DATABASE_URL: url, PARLEY_DEMO: '1', ...given });
    const wrong = await start({
      PARLEY_CLUSTER_SECRET: 'the secret of others',
      PARLEY_SERVER_URL: 'http://127.0.0.1:1',
    });
    expect(wrong).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Set the same PARLEY_CLUSTER_SECRET'),
    });
    const missing = await start({});
    expect(missing).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Another server is using this database'),
    });
    for (const { stderr } of [wrong, missing]) expect(stderr).not.toMatch(/^\s+at /m);
    expect((await fetch(`${first}/readyz`)).status).toBe(200);
  });
});

it('leaves the tables of an older version to the next start [ops.doctor.read-only]', async () => {
  const url = await postgres().createDatabase();
  await (await openPostgresStore({ url }, migrations.slice(0, 9))).close();
  const doctor = await freshPlace(parley).run(['doctor'], { PARLEY_DATABASE_URL: url, PARLEY_DEMO: '1' });
  expect(doctor.stdout).toMatch(/^✓ Database +PostgreSQL: the next start changes its tables$/m);
  expect(await outdatedDatabase(url)).toBe(9);
}, 180_000);

/** A server whose address is known to the others. */
async function serveHere({ serve }: Place, url: string): Promise<string> {
  const port = await freePort();
  const started = await serve(['--port', String(port)], {
    PARLEY_DATABASE_URL: url,
    PARLEY_DEMO: '1',
    PARLEY_API_KEY: key,
    PARLEY_CLUSTER_SECRET: secret,
    PARLEY_SERVER_URL: `http://127.0.0.1:${port}`,
  });
  return started.url;
}

it('says that the disk of PostgreSQL is full, and loses nothing [cluster.problems.full-disk]', async () => {
  const url = await prepared();
  const server = await serveHere(freshPlace(parley), url);
  const headers = { 'x-api-key': key, 'x-notes-person': 'sebastian', 'content-type': 'application/json' };
  const chat = async (message: string, session?: string) => {
    const body = JSON.stringify({ message, ...(session !== undefined && { session_id: session }) });
    const response = await fetch(`${server}/api/claude/chat`, { method: 'POST', headers, body });
    return (await response.json()) as {
      success: boolean;
      session_id: string;
      history: unknown[];
      error?: unknown;
    };
  };
  const { session_id: session } = await chat('Hello');
  // PostgreSQL itself raises the error that it raises when it can't extend a file.
  await runSql(
    url,
    `CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$;
     CREATE TRIGGER full_disk BEFORE INSERT ON turns EXECUTE FUNCTION full_disk();`,
  );
  await runSql(
    url,
    `CREATE FUNCTION full_disk_for_tables() RETURNS event_trigger LANGUAGE plpgsql AS
       $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$;
     CREATE EVENT TRIGGER full_disk_for_tables ON ddl_command_start WHEN TAG IN ('CREATE TABLE AS')
       EXECUTE FUNCTION full_disk_for_tables();`,
  );
  const { run } = freshPlace(parley);
  const doctor = await run(['doctor'], { PARLEY_DATABASE_URL: url, PARLEY_DEMO: '1' });
  expect(doctor).toMatchObject({ code: 1, stdout: expect.stringContaining('is full. Free some space') });
  const refused = await chat('Are you there?', session);
  expect(refused.success).toBe(false);
  expect(JSON.stringify(refused)).toContain('is full. Free some space');
  await runSql(url, 'DROP TRIGGER full_disk ON turns');
  expect((await chat('Are you there?', session)).history).toHaveLength(4);
}, 180_000);
