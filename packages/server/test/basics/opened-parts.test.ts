// Closing what was opened.
import { expect, it } from 'vitest';
import { openedParts } from '../../src/basics/opened-parts.ts';

it('closes in reverse order, each part once and the rest even if one fails', async () => {
  const closed: string[] = [];
  const { opened, close } = openedParts();
  const part = (name: string) =>
    opened({
      async close() {
        closed.push(name);
        if (name === 'gateway') throw new Error('the gateway is stuck');
      },
    });
  for (const name of ['lock', 'store', 'gateway', 'door']) part(name);
  await expect(close()).rejects.toThrow('the gateway is stuck');
  expect(closed).toEqual(['door', 'gateway', 'store', 'lock']);
  await close();
  expect(closed).toHaveLength(4);
});
