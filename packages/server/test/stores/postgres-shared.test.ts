// What servers on one database share: budgets, wrong passwords, and what people allowed for a session.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type BudgetRule, noUsage, ParleyError } from '@parley/protocol';
import { runSql } from '@parley/stand-ins/postgres';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { Challenges } from '../../src/accounts/challenges.ts';
import { OwnedSessions } from '../../src/cluster/owned-sessions.ts';
import { ServerLease } from '../../src/cluster/server-lease.ts';
import { systemClock } from '../../src/domain/clock.ts';
import { silentLogger } from '../../src/domain/logger.ts';
import { createPeople } from '../../src/domain/people.ts';
import type { Reservation, Used } from '../../src/domain/spending.ts';
import { systemTimers } from '../../src/domain/timers.ts';
import { GuessLimits } from '../../src/doors/http/login/guess-limits.ts';
import { Logins } from '../../src/doors/http/login/logins.ts';
import { createGateway } from '../../src/gateway/gateway.ts';
import { type BudgetedSpending, openSpending } from '../../src/gateway/spending.ts';
import { createAllowanceStore } from '../../src/stores/postgres/allowances.ts';
import { createReservations } from '../../src/stores/postgres/reservations.ts';
import { createSealedStore } from '../../src/stores/postgres/sealed.ts';
import { createServerRegistry } from '../../src/stores/postgres/servers.ts';
import { openPostgresStore, type PostgresStore } from '../../src/stores/postgres/store.ts';
import { createTriesStore } from '../../src/stores/postgres/tries.ts';
import { Sealed } from '../../src/tools/linkedin/sealed.ts';
import { endOf, readUntil, say, scripted } from '../support/gateway-harness.ts';
import { ScriptedEngine } from '../support/scripted-engine.ts';
import { usePostgres } from './postgres-database.ts';

/** Long, because machines are busy. */
const patience = { timeout: 60_000 };

const postgres = usePostgres();
let url: string;
beforeEach(async () => {
  url = await postgres().createDatabase();
});

async function open(): Promise<PostgresStore> {
  const store = await openPostgresStore({ url });
  onTestFinished(() => store.close());
  return store;
}

describe('budgets of several servers', () => {
  const rule: BudgetRule = { scope: 'person', subject: 'ada', period: 'day', unit: 'tokens', limit: 500 };
  const payer = { person: 'ada', assistant: 'notes', session: randomUUID() };
  const most = { usd: 1, tokens: 60 };
  const never = new AbortController().signal;
  const leases = new Map<string, NodeJS.Timeout>();
  const used = (tokens: number): Used => ({
    engine: 'messages-api',
    door: 'http',
    model: 'm',
    usage: { ...noUsage, outputTokens: tokens },
  });

  async function server(name: string): Promise<BudgetedSpending> {
    const store = await open();
    const renew = () => createServerRegistry(store).renew({ id: name, machine: name, url: `http://${name}` });
    await renew();
    // The machine may be so slow that a lease would run out during the test.
    leases.set(
      name,
      setInterval(() => void renew().catch(() => undefined), 2_000),
    );
    onTestFinished(() => clearInterval(leases.get(name)));
    return openSpending({
      rules: store.budgets,
      spent: store.budgets,
      book: store.usage,
      shared: createReservations(store.database, name),
      fileRules: [],
      clock: systemClock,
      logger: silentLogger,
    });
  }

  async function held(spending: BudgetedSpending): Promise<Reservation> {
    const reservation = await spending.reserve(payer, most, never);
    if (reservation instanceof ParleyError) throw reservation;
    return reservation;
  }

  it('are exceeded by one request in total, and nothing is refused before [cluster.budgets.exact]', async () => {
    const servers = [await server('a'), await server('b'), await server('c')];
    await servers[0]?.put(rule);
    for (const one of servers) await one.reload();
    let spent = 0;
    let tooEarly = 0;
    await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        const reservation = await servers[index % 3]?.reserve(payer, most, never);
        if (reservation instanceof ParleyError) {
          if (spent < rule.limit) tooEarly += 1;
          return;
        }
        await pause(index % 7);
        spent += 37;
        await reservation?.settle(used(37));
      }),
    );
    expect(tooEarly).toBe(0);
    expect(spent).toBeGreaterThanOrEqual(rule.limit);
    expect(spent).toBeLessThan(rule.limit + most.tokens);
    const late = await server('late');
    expect(late.refusal(payer)).toMatchObject({ code: 'over_budget' });
    await vi.waitFor(async () => {
      await servers[1]?.refreshAll();
      expect(servers[1]?.list()).toMatchObject([{ spent }]);
    }, patience);
  });

  it('warn once in total, however many servers notice at once [cluster.budgets.warning]', async () => {
    const servers = [await server('a'), await server('b'), await server('c')];
    await servers[0]?.put({ ...rule, limit: 1_000 });
    for (const one of servers) await one.reload();
    const reservations = await Promise.all(servers.map(held));
    const warnings = await Promise.all(reservations.map((one) => one.settle(used(850))));
    expect(warnings.flat()).toHaveLength(1);
  });

  it('do not wait for a server that has stopped, and follow changed rules [cluster.budgets.exact]', async () => {
    const [a, b] = [await server('a'), await server('b')];
    await a.put({ ...rule, limit: 100 });
    await b.reload();
    await held(a);
    await held(a);
    const order: string[] = [];
    const waiting = held(b).then((one) => {
      order.push('b');
      return one;
    });
    await b.refresh(payer);
    expect(order).toEqual([]);
    clearInterval(leases.get('a'));
    await createServerRegistry(await open()).leave({ id: 'a', machine: 'a', url: '' });
    (await waiting).cancel();
  });
});

it('count wrong passwords together [cluster.logins.guesses]', async () => {
  let now = 1_000_000;
  const clock = { now: () => now };
  const [a, b] = [
    new GuessLimits(clock, createTriesStore((await open()).database)),
    new GuessLimits(clock, createTriesStore((await open()).database)),
  ];
  const stranger = { address: '192.0.2.1', browser: undefined, account: 'ada' };
  const tries = await Promise.all([a, b, a, b, a, b, a].map((limits) => limits.begin(stranger)));
  expect(tries.filter((wait) => wait === undefined)).toHaveLength(5);
  expect(await b.begin({ ...stranger, address: '192.0.2.2' })).toBeUndefined();
  now += 1_000;
  expect(await b.begin(stranger)).toBeUndefined();
  await b.succeeded(stranger);
  for (let index = 0; index < 5; index += 1) expect(await a.begin(stranger)).toBeUndefined();
  expect(await b.begin(stranger)).toBe(1);
  now += 2 * 3_600_000;
  expect(await a.begin(stranger)).toBeUndefined();
});

it('notice a login that ended on another one [cluster.logins.ended]', async () => {
  const [one, other] = [await open(), await open()];
  const ends: string[] = [];
  const loginsOf = (store: PostgresStore, name: string) =>
    new Logins({
      store: store.logins,
      clock: systemClock,
      days: 30,
      passwordHash: async () => 'hash',
      people: createPeople(['ada']),
      onEnd: () => void ends.push(name),
    });
  const [here, there] = [loginsOf(one, 'here'), loginsOf(other, 'there')];
  const origin = 'https://parley.example';
  const { secret, caller } = await here.start(origin, { kind: 'family' });
  expect(await there.find(secret, origin)).toBeDefined();
  await there.noticeEnded();
  expect(ends).toEqual([]);
  const before = await other.dataVersion();
  await here.start(origin, { kind: 'family' });
  expect(await other.dataVersion()).toBe(before);
  await here.end(caller.login);
  expect(await other.dataVersion()).not.toBe(before);
  await there.noticeEnded();
  expect([ends, there.hasEnded(caller.login)]).toEqual([['here', 'there'], true]);
});

it('have the same LinkedIn logins, encrypted [cluster.linkedin.shared]', async () => {
  const key = Buffer.alloc(32, 1);
  const sealedBy = async (own: Buffer) => new Sealed(createSealedStore((await open()).database, own));
  const [one, other, stranger] = [
    await sealedBy(key),
    await sealedBy(key),
    await sealedBy(Buffer.alloc(32, 2)),
  ];
  await one.write('ada', 'token-of-ada');
  await one.write('ada', 'token-of-ada-2');
  expect([await other.read('ada'), await other.read('ben')]).toEqual(['token-of-ada-2', undefined]);
  await expect(stranger.read('ada')).rejects.toMatchObject({ code: 'unavailable' });
  expect(JSON.stringify(await runSql(url, 'SELECT * FROM sealed'))).not.toContain('token');
  const attempt = await one.wrap('attempt');
  expect([await other.unwrap(attempt), await stranger.unwrap(attempt), await other.unwrap('x')]).toEqual([
    'attempt',
    undefined,
    undefined,
  ]);
  await other.remove('ada');
  expect(await one.read('ada')).toBeUndefined();
});

it('accept each other’s passkey challenges if they have the same secret [cluster.logins.anywhere]', () => {
  const [a, b, other] = ['k', 'k', 'x'].map(
    (key) => new Challenges(systemClock, Buffer.from(key.repeat(32))),
  );
  const challenge = a?.make('log in').toString('base64url') ?? '';
  expect([
    b?.isOpen(challenge, 'log in'),
    b?.isOpen(challenge, 'create'),
    other?.isOpen(challenge, 'log in'),
  ]).toEqual([true, false, false]);
});

it('keep what they read from transcripts apart by machine [cluster.machine.transcripts]', async () => {
  const [a, b] = await Promise.all(
    ['a', 'b'].map(async (name) => {
      const store = await openPostgresStore({ url, machine: async () => name });
      onTestFinished(() => store.close());
      return store.codeSessions.transcripts;
    }),
  );
  const file = '/home/me/.claude/projects/p/1.jsonl';
  await a?.save([{ file, record: { of: 'a' } }]);
  await b?.save([{ file, record: { of: 'b' } }]);
  await b?.save([{ file, record: { of: 'b again' } }]);
  expect([await a?.load(), await b?.load()]).toEqual([[{ of: 'a' }], [{ of: 'b again' }]]);
  await b?.remove([file]);
  expect([await a?.load(), await b?.load()]).toEqual([[{ of: 'a' }], []]);
});

it('keep what a person allowed for a session when it moves [cluster.allowances.move]', async () => {
  async function server(name: string) {
    const store = await open();
    const registry = createServerRegistry(store);
    const parts = {
      registry,
      server: { id: name, machine: name, url: `http://${name}` },
      timers: systemTimers,
      logger: silentLogger,
    };
    const lease = new ServerLease(parts);
    const owned = new OwnedSessions({ ...parts, lease });
    await lease.start();
    const gateway = createGateway({
      store,
      ownership: owned,
      allowances: createAllowanceStore(store.database),
      engines: [new ScriptedEngine()],
      clock: systemClock,
      newId: randomUUID,
      logger: silentLogger,
      observer: { turnEnded: () => undefined },
      limits: { queue: 20, keptEvents: 5_000, log: { events: 1_024, bytes: 1_000_000 } },
    });
    const stop = async () => {
      await gateway.close();
      await owned.drain();
      await lease.close();
    };
    onTestFinished(stop);
    return { gateway, stop };
  }
  const person = 'petra';
  const first = await server('first');
  const { session } = await first.gateway.prompt({
    person,
    session: scripted,
    prompt: say('ask Bash'),
    door: 'test',
  });
  const asked = await vi.waitUntil(
    async () => (await first.gateway.state(person, session.id)).permissions[0],
    patience,
  );
  await first.gateway.decide(person, session.id, asked.id, { behavior: 'allow', scope: 'session' });
  await vi.waitFor(
    async () => expect(await createAllowanceStore((await open()).database).of(session.id)).toEqual(['Bash']),
    patience,
  );
  await first.stop();

  const { gateway } = await server('second');
  const again = await gateway.prompt({ person, session: session.id, prompt: say('ask Bash'), door: 'test' });
  const seen = await readUntil(gateway, person, session.id, again.after, endOf(again.turnId));
  expect(seen.map(({ event }) => event.type)).not.toContain('permission.asked');
  await gateway.deleteSession(person, session.id);
  expect(await createAllowanceStore((await open()).database).of(session.id)).toEqual([]);
}, 60_000);
