// Notifications for a person who is looking elsewhere.
import { describe, expect, it } from 'vitest';
import type { Activity } from '../../src/domain/activity.ts';
import { createActivityLog } from '../../src/gateway/activity-log.ts';

const clock = { now: () => 1_000 };
const ended = (id: string): Activity => ({
  type: 'turn-ended',
  session: { id, engine: 'claude-code', assistant: 'claude-code', title: '', project: undefined },
  outcome: 'completed',
});

async function take(feed: AsyncIterable<{ number: number; activity: Activity }>, count: number) {
  const taken: { number: number; id: string }[] = [];
  for await (const { number, activity } of feed) {
    taken.push({ number, id: activity.session.id });
    if (taken.length === count) break;
  }
  return taken;
}

describe('the activity log', () => {
  it('numbers activities per person and returns those after a number', async () => {
    const log = createActivityLog({ clock });
    for (const id of ['a', 'b', 'c']) log.noticed('petra', ended(id));
    log.noticed('sebastian', ended('d'));
    const { signal } = new AbortController();
    expect(await take(log.subscribe('petra', { after: 1_000_001, signal }), 2)).toEqual([
      { number: 1_000_002, id: 'b' },
      { number: 1_000_003, id: 'c' },
    ]);
  });

  it('remembers a limited number of activities', async () => {
    const log = createActivityLog({ clock });
    for (let count = 0; count < 1_000; count += 1) log.noticed('petra', ended(String(count)));
    const { signal } = new AbortController();
    const all = await take(log.subscribe('petra', { after: 0, signal }), 200);
    expect(all[0]).toEqual({ number: 1_000_801, id: '800' });
    expect(all.at(-1)).toEqual({ number: 1_001_000, id: '999' });
  });

  it('starts with new activities if no number is given, and ends with the signal', async () => {
    const log = createActivityLog({ clock });
    log.noticed('petra', ended('before'));
    const controller = new AbortController();
    const taking = take(log.subscribe('petra', { signal: controller.signal }), 5);
    log.noticed('petra', ended('x'));
    await new Promise((resolve) => setImmediate(resolve));
    log.noticed('petra', ended('after'));
    await new Promise((resolve) => setImmediate(resolve));
    controller.abort();
    expect((await taking).map(({ id }) => id)).not.toContain('before');
    expect((await taking).map(({ id }) => id)).toContain('after');
  });

  it('requests watching once per person, and only when somebody listens', async () => {
    const asked: string[] = [];
    const log = createActivityLog({ clock, watch: (person) => void asked.push(person) });
    log.noticed('petra', ended('a'));
    expect(asked).toEqual([]);
    const controller = new AbortController();
    const readers = [1, 2].map(() => take(log.subscribe('petra', { signal: controller.signal }), 1));
    controller.abort();
    await Promise.all(readers);
    expect(asked).toEqual(['petra']);
  });
});
