// Watching a session: its state, and everything that happens after it.
import { describe, expect, it, vi } from 'vitest';
import { say, scripted, startHarness } from '../support/gateway-harness.ts';
import { ScriptedEngine } from '../support/scripted-engine.ts';

const patience = { timeout: 60_000 };

describe('a watched session', () => {
  it('has no gap between its state and its first event', async () => {
    const harness = await startHarness();
    const { gateway } = harness;
    const { id } = await gateway.createSession('ada', scripted);
    await gateway.prompt({ person: 'ada', session: id, prompt: say('text 300'), door: 'test' });
    for (let round = 0; round < 20; round += 1) {
      const stop = new AbortController();
      const { state, events } = await gateway.watch('ada', id, stop.signal);
      const [first] = await firstOf(events, state.running === undefined ? 0 : 1);
      expect(first?.seq ?? state.lastSeq + 1).toBe(state.lastSeq + 1);
      stop.abort();
    }
    await harness.close();
  });

  it('stays in memory while it is watched and for a while after, so that its numbers continue', async () => {
    const engine = new ScriptedEngine({ storesEvents: false });
    const harness = await startHarness({ engine, limits: { linger: { ms: 60_000, sessions: 1 } } });
    const { gateway } = harness;
    const { id } = await gateway.createSession('ada', scripted);
    const stop = new AbortController();
    const { state } = await gateway.watch('ada', id, stop.signal);
    expect((await gateway.state('ada', id)).lastSeq).toBe(state.lastSeq);
    stop.abort();
    expect((await gateway.state('ada', id)).lastSeq).toBe(state.lastSeq);
    const other = await gateway.createSession('ada', scripted);
    await vi.waitFor(async () => {
      await gateway.state('ada', other.id);
      // A look at the first session would keep it in memory, so leave it alone while it is being unloaded.
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect((await gateway.state('ada', id)).lastSeq).toBeGreaterThan(state.lastSeq);
    }, patience);
    await harness.close();
  });

  it('is released by its engine when nobody watches it any more', async () => {
    const engine = new ScriptedEngine();
    const harness = await startHarness({ engine });
    const { gateway } = harness;
    const { id } = await gateway.createSession('ada', scripted);
    const stop = new AbortController();
    await gateway.watch('ada', id, stop.signal);
    await gateway.wake('ada', id);
    // Other calls in the meantime change nothing.
    await gateway.state('ada', id);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(engine.watched).toContain(id);
    stop.abort();
    await vi.waitUntil(() => !engine.watched.has(id), patience);
    await harness.close();
  });

  it('is not found for another person', async () => {
    const harness = await startHarness();
    const { gateway } = harness;
    const { id } = await gateway.createSession('ada', scripted);
    await expect(gateway.watch('bob', id, new AbortController().signal)).rejects.toMatchObject({
      code: 'not_found',
    });
    await harness.close();
  });
});

async function firstOf<T>(items: AsyncIterable<T>, count: number): Promise<T[]> {
  const taken: T[] = [];
  if (count === 0) return taken;
  for await (const item of items) {
    taken.push(item);
    if (taken.length === count) break;
  }
  return taken;
}
