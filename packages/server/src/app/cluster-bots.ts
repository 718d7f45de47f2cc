// Runs the bots on one of several servers at a time.
import type { ChannelOverview, ChannelStatus } from '@parley/protocol';
import type { Config } from '../config/schema.ts';
import type { Logger } from '../domain/logger.ts';
import { type Bots, plannedStatus } from './bots.ts';
import type { Cluster } from './cluster.ts';

/** Calls `prepare` each time this server takes over the bots. */
export function botsOnOneServer(
  cluster: Pick<Cluster, 'onOneServer' | 'ask'>,
  config: Config,
  prepare: (config: Config) => Promise<Bots>,
  logger: Logger,
): Bots {
  let newest = config;
  let here: Bots | undefined;
  let running: ReturnType<Cluster['onOneServer']> | undefined;

  async function start() {
    let used = newest;
    const bots = await prepare(used);
    try {
      await bots.open();
      // Settings that changed meanwhile.
      while (used !== newest) {
        used = newest;
        await bots.apply(used);
      }
    } catch (error) {
      await bots.close();
      throw error;
    }
    here = bots;
    return {
      async close() {
        here = undefined;
        await bots.close();
      },
    };
  }

  /** Reports the bots as connecting while they move, and if their server doesn't answer. */
  async function statusElsewhere(): Promise<readonly ChannelStatus[]> {
    const other = running?.owner();
    const overview = other && (await cluster.ask<ChannelOverview>(other, '/api/channels').catch(noAnswer));
    return overview && overview.channels.length > 0 ? overview.channels : plannedStatus(newest);
  }

  function noAnswer(error: unknown): undefined {
    logger.warn({ err: error }, 'the server with the bots does not answer');
  }

  return {
    statusHere: () => here?.statusHere() ?? [],
    status: async () => here?.statusHere() ?? (await statusElsewhere()),
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
