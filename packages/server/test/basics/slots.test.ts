import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Slots, shareOfOne } from '../../src/basics/slots.ts';

/** Waits until everything that can happen has happened. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('slots', () => {
  it('leave some to others, however many one group wants [team.shares.turns]', async () => {
    const slots = new Slots(4, () => shareOfOne(4, 3 / 4));
    const entered: string[] = [];
    const take = (group: string) => void slots.take({ group }).then(() => entered.push(group));
    for (let count = 0; count < 10; count += 1) take('anna');
    await settled();
    expect(entered).toEqual(['anna', 'anna', 'anna']);
    take('ben');
    take('cleo');
    await settled();
    expect(entered).toEqual(['anna', 'anna', 'anna', 'ben']);
    slots.release('anna');
    await settled();
    expect(entered.at(-1)).toBe('cleo');
    slots.release('ben');
    await settled();
    expect(entered.at(-1)).toBe('anna');
  });

  it('exceed no share, are never free while somebody may take one, and all come back [team.shares.turns]', async () => {
    const group = fc.constantFrom('anna', 'ben', 'cleo');
    const action = fc.record({ group, what: fc.constantFrom('take', 'release', 'leave') });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 6 }),
        fc.array(action, { maxLength: 40 }),
        async (count, actions) => {
          const most = shareOfOne(count, 3 / 4);
          const slots = new Slots(count, () => most);
          const held = new Map<string, number>();
          const waiting: { readonly group: string; readonly leave: AbortController; isOver: boolean }[] = [];
          const change = (name: string, by: number) => held.set(name, (held.get(name) ?? 0) + by);
          const take = (name: string) => {
            const one = { group: name, leave: new AbortController(), isOver: false };
            waiting.push(one);
            void slots.take({ group: name, signal: one.leave.signal }).then((isTaken) => {
              one.isOver = true;
              if (isTaken) change(name, 1);
            });
          };
          for (const { group: name, what } of actions) {
            if (what === 'take') take(name);
            else if (what === 'leave')
              waiting.find((one) => !one.isOver && one.group === name)?.leave.abort();
            else if ((held.get(name) ?? 0) > 0) {
              change(name, -1);
              slots.release(name);
            }
            await settled();
            const used = [...held.values()].reduce((all, one) => all + one, 0);
            expect(used).toBeLessThanOrEqual(count);
            for (const [, own] of held) expect(own).toBeLessThanOrEqual(most);
            const open = waiting.filter((one) => !one.isOver);
            const couldEnter = open.some((one) => (held.get(one.group) ?? 0) < most);
            expect(used < count && couldEnter).toBe(false);
          }
          for (const { leave } of waiting) leave.abort();
          await settled();
          for (const [name, own] of held) for (let left = own; left > 0; left -= 1) slots.release(name);
          let free = 0;
          for (const name of ['anna', 'ben', 'cleo', 'dora', 'emil', 'fay']) {
            while (slots.tryTake(name)) free += 1;
          }
          expect(free).toBe(count);
        },
      ),
      { numRuns: 60 },
    );
  });
});
