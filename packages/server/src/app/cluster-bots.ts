// The bots when there are several servers: they run on one of them at a time.
import type { Config } from '../config/schema.ts';
import type { Bots } from './bots.ts';
import type { Cluster } from './cluster.ts';

/** `prepare` makes the bots anew each time it is this server's turn. */
export function botsOnOneServer(
  cluster: Pick<Cluster, 'onOneServer'>,
  config: Config,
  prepare: (config: Config) => Promise<Bots>,
): Bots {
  let newest = config;
  let here: Bots | undefined;
  let running: { close(): Promise<void> } | undefined;

  async function start() {
    const bots = await prepare(newest);
    here = bots;
    await bots.open();
    return {
      async close() {
        here = undefined;
        await bots.close();
      },
    };
  }

  return {
    status: () => here?.status() ?? [],
    async open() {
      running = cluster.onOneServer('the bots', start);
    },
    async apply(changed) {
      newest = changed;
      await here?.apply(changed);
    },
    async close() {
      await running?.close();
    },
  };
}
