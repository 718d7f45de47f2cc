import type { Envelope } from '@parley/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { endOf, type Harness, readUntil, say, scripted, startHarness } from '../support/gateway-harness.ts';

let harness: Harness;
beforeEach(async () => {
  harness = await startHarness();
});
afterEach(() => harness.close());

describe('a permission', () => {
  it('blocks the tool until somebody allows it, and settles for every reader', async () => {
    const { session, turnId } = await prompt('ask Bash | text 1');
    const id = await askedIn(session.id);
    const watching = Promise.all(
      [1, 2].map(() => readUntil(harness.gateway, 'petra', session.id, 0, endOf(turnId))),
    );
    expect(await harness.gateway.decide('petra', session.id, id, { behavior: 'allow', scope: 'once' })).toBe(
      true,
    );
    for (const seen of await watching) {
      expect(types(seen)).toContain('permission.settled');
      expect(notices(seen)).toEqual(['allow']);
    }
    expect((await harness.gateway.state('petra', session.id)).permissions).toEqual([]);
  });

  it("is denied with the person's message", async () => {
    const { session, turnId } = await prompt('ask Bash');
    const id = await askedIn(session.id);
    await harness.gateway.decide('petra', session.id, id, { behavior: 'deny', message: 'not today' });
    const seen = await readUntil(harness.gateway, 'petra', session.id, 0, endOf(turnId));
    expect(settled(seen)).toMatchObject([
      { decision: { behavior: 'deny', message: 'not today' }, reason: 'decided' },
    ]);
  });

  it('accepts one answer and ignores a second, a late and an unknown one', async () => {
    const { session, turnId } = await prompt('ask Bash');
    const id = await askedIn(session.id);
    const answers = await Promise.all([
      harness.gateway.decide('petra', session.id, id, { behavior: 'deny' }),
      harness.gateway.decide('petra', session.id, id, { behavior: 'allow', scope: 'once' }),
    ]);
    expect(answers.filter(Boolean)).toHaveLength(1);
    const seen = await readUntil(harness.gateway, 'petra', session.id, 0, endOf(turnId));
    expect(settled(seen)).toHaveLength(1);
    for (const late of [id, crypto.randomUUID()]) {
      expect(
        await harness.gateway.decide('petra', session.id, late, { behavior: 'allow', scope: 'once' }),
      ).toBe(false);
    }
  });

  it('that is allowed for the session is not asked again there, but is asked in another session', async () => {
    const first = await prompt('ask Bash | ask Bash');
    await harness.gateway.decide('petra', first.session.id, await askedIn(first.session.id), {
      behavior: 'allow',
      scope: 'session',
    });
    const seen = await readUntil(harness.gateway, 'petra', first.session.id, 0, endOf(first.turnId));
    expect(types(seen).filter((type) => type === 'permission.asked')).toHaveLength(1);
    expect(notices(seen)).toEqual(['allow', 'allow']);

    const other = await prompt('ask Bash');
    await askedIn(other.session.id);
    await harness.gateway.interrupt('petra', other.session.id);
  });

  it('is closed when its turn ends before anybody answers', async () => {
    const { session, turnId } = await prompt('leave Bash | text 1');
    const seen = await readUntil(harness.gateway, 'petra', session.id, 0, endOf(turnId));
    expect(settled(seen)).toMatchObject([{ decision: { behavior: 'deny' }, reason: 'turn-ended' }]);
    const { id } = seen.map(({ event }) => event).find(({ type }) => type === 'permission.asked') as {
      id: string;
    };
    expect(await harness.gateway.decide('petra', session.id, id, { behavior: 'allow', scope: 'once' })).toBe(
      false,
    );
  });

  it('without an answer never counts as an allow: an interrupt settles it as denied', async () => {
    const { session, turnId } = await prompt('ask Bash');
    await askedIn(session.id);
    await harness.gateway.interrupt('petra', session.id);
    const seen = await readUntil(harness.gateway, 'petra', session.id, 0, endOf(turnId));
    expect(settled(seen)).toMatchObject([{ decision: { behavior: 'deny' }, reason: 'cancelled' }]);
    expect(types(seen).indexOf('permission.settled')).toBeLessThan(types(seen).indexOf('turn.ended'));
  });
});

function prompt(text: string) {
  return harness.gateway.prompt({ person: 'petra', session: scripted, prompt: say(text), door: 'test' });
}

async function askedIn(id: string): Promise<string> {
  const seen = await readUntil(
    harness.gateway,
    'petra',
    id,
    0,
    ({ event }) => event.type === 'permission.asked',
  );
  const event = seen.at(-1)?.event;
  if (event?.type !== 'permission.asked') throw new Error('no permission was asked');
  return event.id;
}

const types = (seen: Envelope[]) => seen.map(({ event }) => event.type);
const notices = (seen: Envelope[]) =>
  seen.flatMap(({ event }) => (event.type === 'notice' ? [event.message] : []));
const settled = (seen: Envelope[]) =>
  seen.flatMap(({ event }) => (event.type === 'permission.settled' ? [event] : []));
