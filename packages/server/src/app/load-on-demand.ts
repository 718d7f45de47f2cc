// Parts that most servers don't use. Their code is loaded on demand, to save time and memory at the start.
import type { Metrics } from '../basics/metrics.ts';
import { machineFile, serversFolder } from '../config/files.ts';
import type { Config } from '../config/schema.ts';
import type { RunningDemo } from '../demo/demo.ts';
import type { DemoChannels } from '../demo/demo-channels.ts';
import type { Logger } from '../domain/logger.ts';
import type { Cluster } from './cluster.ts';
import type { SharedStores } from './stores.ts';

/** Only for a database that servers can share. */
export async function loadCluster(
  config: Config,
  id: string,
  shared: SharedStores,
  metrics: Metrics,
  logger: Logger,
): Promise<Cluster> {
  const { openCluster } = await import('./cluster.ts');
  return openCluster({
    id,
    ...shared,
    secret: config.clusterSecret?.reveal(),
    person: config.people[0] ?? '',
    url: config.serverUrl,
    machineFile: machineFile(config),
    serversFolder: serversFolder(config),
    // Half of the time. The rest is for closing everything.
    drainMs: config.limits.shutdownSeconds * 500,
    metrics,
    logger,
  });
}

export async function loadDemo(config: Config): Promise<RunningDemo> {
  const { startDemo } = await import('../demo/demo.ts');
  return startDemo(config);
}

export async function loadDemoChannels(config: Config): Promise<DemoChannels> {
  const { startDemoChannels } = await import('../demo/demo-channels.ts');
  return startDemoChannels(config);
}
