// Bots that run on one of several servers: settings that change while they start, and a start that fails.
import { expect, it, onTestFinished } from 'vitest';
import type { Bots } from '../../src/app/bots.ts';
import { botsOnOneServer } from '../../src/app/cluster-bots.ts';
import type { Config } from '../../src/config/schema.ts';
import { silentLogger } from '../../src/domain/logger.ts';
import { configFolder } from '../config/config-folder.ts';

/** This server takes over when the test calls `takeOver`. */
function oneServer(prepare: (config: Config) => Promise<Bots>) {
  const { load } = configFolder();
  let start: () => Promise<{ close(): Promise<void> }> = () => Promise.reject(new Error('not open'));
  const cluster = {
    onOneServer(_name: string, wanted: typeof start) {
      start = wanted;
      return { owner: () => undefined, close: async () => undefined };
    },
    ask: () => Promise.reject(new Error('there is no other server')),
  };
  const bots = botsOnOneServer(cluster, load({}).config, prepare, silentLogger);
  onTestFinished(() => bots.close());
  return { bots, takeOver: () => start(), load };
}

function aBot(overrides: Partial<Bots> = {}): Bots {
  const status = {
    name: 'team',
    kind: 'telegram',
    state: 'running',
    botName: null,
    lastError: null,
    since: 0,
  } as const;
  return {
    open: async () => undefined,
    apply: async () => undefined,
    close: async () => undefined,
    statusHere: () => [status],
    status: async () => [status],
    ...overrides,
  };
}

it('applies settings that changed while the bots started', async () => {
  const applied: Config[] = [];
  let changed: Config | undefined;
  const { bots, takeOver, load } = oneServer(async () => {
    changed = load({ file: { people: ['anna'] } }).config;
    await bots.apply(changed);
    return aBot({ apply: async (config) => void applied.push(config) });
  });
  await bots.open();
  await takeOver();
  expect(applied).toEqual([changed]);
  expect(await bots.status()).toHaveLength(1);
});

it('closes bots that could not be opened, and no longer shows them', async () => {
  let closed = 0;
  const { bots, takeOver } = oneServer(async () =>
    aBot({
      open: () => Promise.reject(new Error('no door')),
      async close() {
        closed += 1;
      },
    }),
  );
  await bots.open();
  await expect(takeOver()).rejects.toThrow('no door');
  expect(closed).toBe(1);
  expect(bots.statusHere()).toEqual([]);
});
