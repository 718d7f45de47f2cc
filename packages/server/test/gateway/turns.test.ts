import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ParleyError } from '@parley/protocol';
import { afterEach, describe, expect, it } from 'vitest';
import { allMessages } from '../stores/fixtures.ts';
import { endOf, type Harness, readUntil, say, scripted, startHarness } from '../support/gateway-harness.ts';
import { ScriptedEngine } from '../support/scripted-engine.ts';

let harness: Harness | undefined;
const start = async (...args: Parameters<typeof startHarness>) => {
  harness = await startHarness(...args);
  return harness;
};

afterEach(async () => {
  await harness?.close();
  harness = undefined;
});

describe('a turn', () => {
  it('is numbered from 1, starts with turn.started and ends with exactly one turn.ended', async () => {
    const { gateway } = await start();
    const { session, turnId, after } = await prompt('text 3 | tool | usage');
    const seen = await readUntil(gateway, 'petra', session.id, after, endOf(turnId));
    expect(seen.map((envelope) => envelope.seq)).toEqual(seen.map((_, index) => index + 1));
    expect(seen.map((envelope) => envelope.event.type)).toEqual([
      'turn.started',
      'message',
      'text.delta',
      'text.delta',
      'text.delta',
      'message',
      'tool.started',
      'tool.ended',
      'usage',
      'turn.ended',
    ]);
    expect(seen.at(-1)?.event).toMatchObject({
      outcome: 'completed',
      text: 'w0 w1 w2 ',
      usage: { costUsd: 0.01 },
    });
  });

  it("fails with the engine's error message", async () => {
    const { gateway, records } = await start();
    const { session, turnId, after } = await prompt('text 1 | fail');
    const seen = await readUntil(gateway, 'petra', session.id, after, endOf(turnId));
    expect(seen.at(-1)?.event).toMatchObject({
      outcome: 'failed',
      error: { code: 'unavailable', message: 'The model is out.', recoverable: true },
    });
    expect(records).toMatchObject([
      {
        outcome: 'failed',
        error: { code: 'unavailable', message: 'The model is out.' },
        person: 'petra',
        door: 'test',
        firstTokenMs: expect.any(Number),
      },
    ]);
  });

  it('has no first token if the model said nothing', async () => {
    const { gateway, records } = await start();
    const { session, turnId, after } = await prompt('fail');
    const seen = await readUntil(gateway, 'petra', session.id, after, endOf(turnId));
    expect(seen.map(({ event }) => event.type)).toEqual(['turn.started', 'message', 'turn.ended']);
    expect(records[0]).not.toHaveProperty('firstTokenMs');
  });

  it('fails without exposing internals when the engine throws', async () => {
    const { gateway } = await start();
    const { session, turnId, after } = await prompt('throw');
    const last = (await readUntil(gateway, 'petra', session.id, after, endOf(turnId))).at(-1);
    expect(last?.event).toMatchObject({ outcome: 'failed', error: { code: 'internal' } });
    expect(JSON.stringify(last)).not.toContain('secret');
  });

  it('is stored with its answer, so that turns returns the history', async () => {
    const { gateway } = await start();
    const { session, turnId, after } = await prompt('text 2');
    await readUntil(gateway, 'petra', session.id, after, endOf(turnId));
    expect(await gateway.turns('petra', session.id)).toMatchObject([
      { id: turnId, status: 'completed', text: 'w0 w1 ', prompt: [{ text: 'text 2' }] },
    ]);
  });

  it('is stored as ended only together with all of its events', async () => {
    const { gateway, store } = await start();
    const together = store.together.bind(store);
    let kept: readonly string[] = [];
    store.together = async (collect) => {
      await together(collect);
      const { sessions } = await store.listSessions('petra', { limit: 1 });
      const [turn] = await store.listTurns(sessions[0]?.id ?? '', { status: ['completed'] });
      kept = (await store.eventsAfter(turn?.sessionId ?? '', 0, 100)).map(({ event }) => event.type);
    };
    const { session, turnId } = await prompt('text 2');
    await readUntil(gateway, 'petra', session.id, 0, endOf(turnId));
    expect(kept).toEqual(['turn.started', 'message', 'text.delta', 'text.delta', 'message', 'turn.ended']);
  });

  it('stops at an interrupt, keeps what was said, and lets the next prompt run [notes.session.interrupt]', async () => {
    const { gateway } = await start();
    const first = await prompt('text 2 | wait');
    await readUntil(
      gateway,
      'petra',
      first.session.id,
      0,
      ({ event }) => event.type === 'message' && event.role === 'assistant',
    );
    expect(await gateway.interrupt('petra', first.session.id)).toBe(true);
    expect(await gateway.interrupt('petra', first.session.id)).toBe(false);
    const second = await prompt('text 1', first.session.id);
    const seen = await readUntil(gateway, 'petra', first.session.id, 0, endOf(second.turnId));
    expect(
      seen.flatMap(({ event }) => (event.type === 'turn.ended' ? [[event.outcome, event.text]] : [])),
    ).toEqual([
      ['interrupted', 'w0 w1 '],
      ['completed', 'w0 '],
    ]);
  });

  it('names the session after its first prompt until it is renamed', async () => {
    const { gateway } = await start();
    const { session, turnId } = await prompt('text 1');
    await readUntil(gateway, 'petra', session.id, 0, endOf(turnId));
    expect((await gateway.getSession('petra', session.id)).title).toBe('text 1');
    await gateway.renameSession('petra', session.id, 'Garden');
    const next = await prompt('text 2', session.id);
    await readUntil(gateway, 'petra', session.id, next.after, endOf(next.turnId));
    expect((await gateway.getSession('petra', session.id)).title).toBe('Garden');
  });

  it('cuts a title between characters', async () => {
    const { gateway } = await start();
    const beginning = `begin ${'x'.repeat(73)}`;
    const { session, turnId } = await prompt(`${beginning}🎈🎈`);
    await readUntil(gateway, 'petra', session.id, 0, endOf(turnId));
    expect((await gateway.getSession('petra', session.id)).title).toBe(beginning);
  });
});

describe('the queue', () => {
  it('runs one turn at a time, in order, and shows the waiting prompts [notes.session.one-turn-at-a-time] [notes.session.queue]', async () => {
    const { gateway, engine } = await start();
    const first = await prompt('wait');
    const second = await prompt('text 1', first.session.id);
    const third = await prompt('text 2', first.session.id);
    expect((await gateway.state('petra', first.session.id)).queue.map(({ turnId }) => turnId)).toEqual([
      second.turnId,
      third.turnId,
    ]);
    await gateway.interrupt('petra', first.session.id);
    const seen = await readUntil(gateway, 'petra', first.session.id, 0, endOf(third.turnId));
    expect(seen.filter(({ event }) => event.type === 'turn.started').map(({ turnId }) => turnId)).toEqual([
      first.turnId,
      second.turnId,
      third.turnId,
    ]);
    expect(seen.filter(({ event }) => event.type === 'queue.changed').length).toBeGreaterThanOrEqual(2);
    expect(engine.maxAtOnce).toBe(1);
  });

  it('allows waiting prompts to be withdrawn and reordered, but not running ones', async () => {
    const { gateway } = await start();
    const first = await prompt('wait');
    const id = first.session.id;
    const [b, c, d] = [await prompt('text 1', id), await prompt('text 2', id), await prompt('text 3', id)];
    expect(await gateway.withdraw('petra', id, first.turnId)).toBe(false);
    expect(await gateway.withdraw('petra', id, c.turnId)).toBe(true);
    expect(await gateway.withdraw('petra', id, c.turnId)).toBe(false);
    await gateway.reorder('petra', id, [d.turnId, b.turnId]);
    await gateway.interrupt('petra', id);
    const seen = await readUntil(gateway, 'petra', id, 0, endOf(b.turnId));
    expect(seen.filter(({ event }) => event.type === 'turn.started').map(({ turnId }) => turnId)).toEqual([
      first.turnId,
      d.turnId,
      b.turnId,
    ]);
  });

  it('refuses prompts that are too large together, for each person and for all [notes.session.prompt-bytes]', async () => {
    const { gateway } = await start({ limits: { promptBytes: { each: 1_000, all: 1_500 } } });
    const send = (text: string, person: string, key?: string) =>
      gateway.prompt({
        person,
        session: scripted,
        prompt: say(text),
        door: 'test',
        ...(key !== undefined && { key }),
      });
    const first = await send(`wait ${'x'.repeat(500)}`, 'petra', 'first');
    await expect(send(`text 1 ${'x'.repeat(500)}`, 'petra')).rejects.toMatchObject({ code: 'busy' });
    await send('text 1', 'petra');
    await send(`wait ${'x'.repeat(700)}`, 'sebastian');
    await expect(send(`text 1 ${'x'.repeat(400)}`, 'petra')).rejects.toMatchObject({ code: 'busy' });
    expect(await send(`wait ${'x'.repeat(500)}`, 'petra', 'first')).toMatchObject({ turnId: first.turnId });
    await gateway.interrupt('petra', first.session.id);
    expect(await send(`text 1 ${'x'.repeat(500)}`, 'petra')).toMatchObject({ fresh: true });
  });

  it('refuses prompts once the storage of a person is full, until sessions are deleted [team.storage.full]', async () => {
    const { gateway } = await start({ limits: { storageBytes: 2_000 } });
    const send = (person: string, key?: string) =>
      gateway.prompt({
        person,
        session: scripted,
        prompt: say(`text 1 ${'x'.repeat(2_000)}`),
        door: 'test',
        ...(key !== undefined && { key }),
      });
    const first = await send('petra', 'first');
    await expect(send('petra')).rejects.toMatchObject({
      code: 'storage_full',
      message: expect.stringMatching(/^Your conversations take up all of the .+ Delete some/),
    });
    // What was admitted before is still known.
    expect(await send('petra', 'first')).toMatchObject({ turnId: first.turnId, fresh: false });
    await send('sebastian');
    await gateway.deleteSession('petra', first.session.id);
    expect(await send('petra')).toMatchObject({ fresh: true });
  });

  it('refuses a prompt as busy when it is full, and changes nothing [notes.session.queue-bound]', async () => {
    const { gateway } = await start({ limits: { queue: 1 } });
    const first = await prompt('wait');
    await prompt('text 1', first.session.id);
    await expect(prompt('text 2', first.session.id)).rejects.toMatchObject({ code: 'busy' });
    expect((await gateway.state('petra', first.session.id)).queue).toHaveLength(1);
  });

  it('keeps its limit when many prompts arrive at once, and recognizes repeated ones', async () => {
    const { gateway } = await start({ limits: { queue: 3 } });
    const { session } = await gateway.prompt({
      person: 'petra',
      session: scripted,
      prompt: say('wait'),
      door: 'test',
    });
    const send = (key: string) =>
      gateway.prompt({ person: 'petra', session: session.id, prompt: say('text 1'), door: 'test', key });
    const keys = Array.from({ length: 12 }, (_, index) => `key ${index}`);
    const sent = await Promise.allSettled(keys.map(send));
    const taken = keys.filter((_, index) => sent[index]?.status === 'fulfilled');
    expect(taken).toHaveLength(3);
    expect((await gateway.state('petra', session.id)).queue).toHaveLength(3);

    await expect(send('one more')).rejects.toMatchObject({ code: 'busy' });
    expect(await Promise.all(taken.map(send))).toMatchObject(taken.map(() => ({ fresh: false })));
  });

  it('admits a key once, however often and fast it is repeated [notes.session.idempotent-prompt]', async () => {
    const { gateway, store } = await start();
    const again = () =>
      gateway.prompt({
        person: 'petra',
        session: scripted,
        prompt: say('text 1'),
        door: 'test',
        key: 'same',
      });
    const admitted = await Promise.all([again(), again(), again()]);
    expect(new Set(admitted.map(({ turnId }) => turnId)).size).toBe(1);
    expect(new Set(admitted.map(({ session }) => session.id)).size).toBe(1);
    expect(admitted.filter(({ fresh }) => fresh)).toHaveLength(1);
    const id = admitted[0]?.session.id ?? '';
    await readUntil(gateway, 'petra', id, 0, endOf(admitted[0]?.turnId ?? ''));
    expect(await store.listTurns(id)).toHaveLength(1);
  });
});

describe('a session of another person', () => {
  it('is not found by any call', async () => {
    const { gateway } = await start();
    const { session, turnId } = await prompt('ask Bash');
    const asked = await readUntil(
      gateway,
      'petra',
      session.id,
      0,
      ({ event }) => event.type === 'permission.asked',
    );
    const permission = asked
      .flatMap(({ event }) => (event.type === 'permission.asked' ? [event.id] : []))
      .join();
    const calls = [
      () => gateway.getSession('sebastian', session.id),
      () => gateway.state('sebastian', session.id),
      () => gateway.turns('sebastian', session.id),
      () => gateway.renameSession('sebastian', session.id, 'mine'),
      () => gateway.deleteSession('sebastian', session.id),
      () => gateway.interrupt('sebastian', session.id),
      () => gateway.withdraw('sebastian', session.id, turnId),
      () => gateway.reorder('sebastian', session.id, []),
      () => gateway.decide('sebastian', session.id, permission, { behavior: 'allow', scope: 'once' }),
      () => gateway.prompt({ person: 'sebastian', session: session.id, prompt: say('text 1'), door: 'test' }),
      () => readUntil(gateway, 'sebastian', session.id, 0, () => true),
    ];
    for (const call of calls) await expect(call()).rejects.toMatchObject({ code: 'not_found' });
    expect((await gateway.listSessions('sebastian', { limit: 10 })).sessions).toEqual([]);
    expect((await gateway.state('petra', session.id)).permissions).toHaveLength(1);
  });
});

describe('deleting a session', () => {
  it('ends its turn and its readers and leaves nothing behind', async () => {
    const { gateway, store } = await start();
    const { session } = await prompt('text 1 | wait');
    const reading = readUntil(gateway, 'petra', session.id, 0, () => false);
    await readUntil(gateway, 'petra', session.id, 0, ({ event }) => event.type === 'text.delta');
    await gateway.deleteSession('petra', session.id);
    expect((await reading).at(-1)?.event).toMatchObject({ type: 'turn.ended', outcome: 'interrupted' });
    await expect(gateway.getSession('petra', session.id)).rejects.toBeInstanceOf(ParleyError);
    expect(await allMessages(store, session.id)).toEqual([]);
    expect(await store.eventsAfter(session.id, 0, 10)).toEqual([]);
  });
});

describe('a restart', () => {
  it('marks the running turn as interrupted with its text so far, runs the waiting prompts, and never repeats a tool [notes.session.crash-marks-interrupted]', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-gateway-'));
    const file = join(folder, 'parley.db');
    try {
      const before = await start({ file });
      const first = await prompt('tool | text 2 | wait');
      const second = await prompt('text 1', first.session.id);
      const seen = await readUntil(
        before.gateway,
        'petra',
        first.session.id,
        0,
        ({ event }) => event.type === 'text.delta' && event.text === 'w1 ',
      );
      await readUntil(
        before.gateway,
        'petra',
        first.session.id,
        seen.length,
        ({ event }) => event.type === 'message',
      );
      // Events are stored a moment after they are sent; a crash in between may cut the text short.
      await expect
        .poll(async () => (await before.store.eventsAfter(first.session.id, 0, 100)).at(-1)?.event)
        .toMatchObject({ type: 'message', role: 'assistant' });
      await before.store.close();

      const after = await start({ file });
      await after.gateway.recover();
      const replay = await readUntil(after.gateway, 'petra', first.session.id, 0, endOf(second.turnId));
      expect(replay.filter(endOf(first.turnId)).map(({ event }) => event)).toMatchObject([
        { outcome: 'interrupted', text: 'w0 w1 ', error: { recoverable: true } },
      ]);
      expect(replay.at(-1)?.event).toMatchObject({ outcome: 'completed' });
      expect(after.engine.toolRuns.get(first.turnId)).toBeUndefined();
      const numbers = replay.map(({ seq }) => seq);
      expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
    } finally {
      await harness?.close();
      harness = undefined;
      await rm(folder, { recursive: true, force: true });
    }
  });
});

describe('what was said before a crash', () => {
  it('is part of the conversation that the model gets next', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-gateway-'));
    const file = join(folder, 'parley.db');
    try {
      const before = await start({ file });
      const { session } = await prompt('text 1 | begin Half | wait');
      await expect
        .poll(async () => (await before.store.eventsAfter(session.id, 0, 100)).at(-1)?.event)
        .toEqual({ type: 'text.delta', text: 'Half' });
      await before.store.close();

      const after = await start({ file });
      await after.gateway.recover();
      expect((await allMessages(after.store, session.id)).slice(1)).toEqual([
        { role: 'assistant', content: [{ type: 'text', text: 'w0 ' }] },
        { role: 'assistant', content: [{ type: 'text', text: 'Half' }] },
      ]);
    } finally {
      await harness?.close();
      harness = undefined;
      await rm(folder, { recursive: true, force: true });
    }
  });
});

describe('an engine with its own record', () => {
  it('stores nothing, and cuts off a reader that falls behind [notes.session.slow-reader-cut-off]', async () => {
    const { gateway, store } = await start({
      engine: new ScriptedEngine({ storesEvents: false }),
      limits: { log: { events: 4, bytes: 1_000_000 } },
    });
    const { session, turnId, after } = await prompt('text 20');
    await readUntil(gateway, 'petra', session.id, after, endOf(turnId)).catch(() => undefined);
    await expect.poll(async () => (await gateway.turns('petra', session.id))[0]?.status).toBe('completed');
    await expect(readUntil(gateway, 'petra', session.id, after, endOf(turnId))).rejects.toMatchObject({
      code: 'lagged',
    });
    expect(await store.eventsAfter(session.id, 0, 10)).toEqual([]);
    expect(await allMessages(store, session.id)).toEqual([]);
  });
});

function prompt(text: string, session?: string) {
  if (!harness) throw new Error('start a harness first');
  return harness.gateway.prompt({
    person: 'petra',
    session: session ?? scripted,
    prompt: say(text),
    door: 'test',
  });
}
