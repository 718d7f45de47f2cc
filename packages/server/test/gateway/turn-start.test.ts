// The turn start: before it, a prompt may wait for the next start of the server; after it, it never runs twice.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGate } from '@parley/stand-ins';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SqliteStore } from '../../src/stores/sqlite/store.ts';
import { endOf, type Harness, readUntil, say, scripted, startHarness } from '../support/gateway-harness.ts';
import { ScriptedEngine } from '../support/scripted-engine.ts';

const never = new Promise<void>(() => undefined);

let folder: string;
let harness: Harness;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-turn-start-'));
  await start();
});
afterEach(async () => {
  await harness.close();
  await rm(folder, { recursive: true, force: true });
});

describe('a prompt to an engine that is ready', () => {
  it('is stored as running in the write that admits it', async () => {
    const { turnId, session } = await prompt('wait');
    expect(await harness.store.getTurn(turnId)).toMatchObject({
      status: 'running',
      startedAt: expect.any(Number),
    });
    const { turnId: next } = await prompt('text 1', session.id);
    expect(await harness.store.getTurn(next)).toMatchObject({ status: 'queued' });
  });

  it('is the only running one, however many arrive at once', async () => {
    const { id } = await harness.gateway.createSession('petra', scripted);
    const admitted = await Promise.all(['wait', 'text 1', 'text 2'].map((text) => prompt(text, id)));
    const [first, , last] = admitted.map(({ turnId }) => turnId);
    const kept = await harness.store.listTurns(id);
    expect(kept.map(({ status }) => status)).toEqual(['running', 'queued', 'queued']);
    expect(kept.map((turn) => turn.id)).toEqual(admitted.map(({ turnId }) => turnId));
    await harness.gateway.interrupt('petra', id);
    const seen = await readUntil(harness.gateway, 'petra', id, 0, endOf(last ?? ''));
    const order = seen.filter(({ event }) => event.type === 'turn.started').map(({ turnId }) => turnId);
    expect(order).toEqual(admitted.map(({ turnId }) => turnId));
    expect(order[0]).toBe(first);
    expect(harness.engine.maxAtOnce).toBe(1);
  });

  it('leaves its place to others if it was admitted before', async () => {
    const { session, turnId } = await prompt('text 1', undefined, 'same');
    await readUntil(harness.gateway, 'petra', session.id, 0, endOf(turnId));
    await expect.poll(async () => (await harness.gateway.state('petra', session.id)).running).toBeUndefined();
    const [again, other] = await Promise.all([
      prompt('text 1', session.id, 'same'),
      prompt('text 2', session.id),
    ]);
    expect(again).toMatchObject({ turnId, fresh: false });
    const seen = await readUntil(harness.gateway, 'petra', session.id, other.after, endOf(other.turnId));
    expect(seen.at(-1)?.event).toMatchObject({ outcome: 'completed' });
  });
});

describe('a prompt that the engine does not have yet', () => {
  it('runs at the next start if the server crashed', async () => {
    harness.engine.starting = never;
    const { session, turnId } = await prompt('tool');
    await started(session.id, turnId);
    await harness.store.close();
    await expectRunAtNextStart(session.id, turnId);
  });

  it('runs at the next start if the server was stopped', async () => {
    harness.engine.starting = never;
    const { session, turnId } = await prompt('tool');
    await started(session.id, turnId);
    await harness.close();
    await expectRunAtNextStart(session.id, turnId);
  });

  it('runs at the next start if the server was stopped while it was being admitted', async () => {
    await harness.close();
    const answer = createGate();
    const slow: ProxyHandler<SqliteStore> = {
      get(store, name: keyof SqliteStore) {
        if (name !== 'admit') return Reflect.get(store, name);
        return async (...args: Parameters<SqliteStore['admit']>) => {
          const admission = await store.admit(...args);
          await answer.opened;
          return admission;
        };
      },
    };
    const file = join(folder, 'parley.db');
    harness = await startHarness({ file, wrap: (store) => new Proxy(store, slow) });
    const { id } = await harness.gateway.createSession('petra', scripted);
    const sent = prompt('tool', id);
    const statuses = async () => (await harness.store.listTurns(id)).map(({ status }) => status);
    await expect.poll(statuses).toEqual(['running']);
    const afterwards = harness.gateway.close().then(statuses);
    // Enough time for a stop that does not wait for the answer.
    await new Promise((resolve) => setTimeout(resolve, 20));
    answer.open();
    expect(await afterwards).toEqual(['queued']);
    await harness.store.close();
    await expectRunAtNextStart(id, (await sent).turnId);
  });

  it('stays first when the prompts behind it are reordered', async () => {
    harness.engine.starting = never;
    const { session, turnId } = await prompt('text 1');
    await started(session.id, turnId);
    const { turnId: second } = await prompt('text 2', session.id);
    const { turnId: third } = await prompt('text 3', session.id);
    await harness.gateway.reorder('petra', session.id, [third, second]);
    expect((await harness.store.unfinishedTurns()).map(({ id }) => id)).toEqual([turnId, third, second]);
  });

  it('does not run again if the person stopped it', async () => {
    harness.engine.starting = never;
    const { session, turnId } = await prompt('tool');
    await started(session.id, turnId);
    await harness.gateway.interrupt('petra', session.id);
    await harness.close();
    await start();
    expect(await harness.store.unfinishedTurns()).toEqual([]);
    expect(await harness.store.getTurn(turnId)).toMatchObject({ status: 'interrupted' });
  });

  it('is stored as running before it leaves', async () => {
    harness.engine.fallAsleep();
    const { session, turnId } = await prompt('text 1 | wait');
    await started(session.id, turnId);
    expect(await harness.store.getTurn(turnId)).toMatchObject({ status: 'queued' });
    harness.engine.comeUp();
    await readUntil(harness.gateway, 'petra', session.id, 0, ({ event }) => event.type === 'text.delta');
    expect(await harness.store.getTurn(turnId)).toMatchObject({ status: 'running' });
  });
});

async function start(): Promise<void> {
  harness = await startHarness({ file: join(folder, 'parley.db'), engine: new ScriptedEngine() });
}

async function expectRunAtNextStart(id: string, turnId: string): Promise<void> {
  await start();
  await harness.gateway.recover();
  const seen = await readUntil(
    harness.gateway,
    'petra',
    id,
    0,
    ({ event, turnId: of }) =>
      // Ignores the end that was reported when the server stopped.
      event.type === 'turn.ended' && of === turnId && event.outcome !== 'interrupted',
  );
  expect(seen.at(-1)?.event).toMatchObject({ outcome: 'completed' });
  expect(harness.engine.toolRuns.get(turnId)).toBe(1);
}

async function started(id: string, turnId: string): Promise<void> {
  await readUntil(
    harness.gateway,
    'petra',
    id,
    0,
    (envelope) => envelope.turnId === turnId && envelope.event.type === 'turn.started',
  );
}

function prompt(text: string, session?: string, key?: string) {
  return harness.gateway.prompt({
    person: 'petra',
    session: session ?? scripted,
    prompt: say(text),
    door: 'test',
    ...(key !== undefined && { key }),
  });
}
