// Which home a command about data means: without an API key, everything else would use the data of the demo.
import type { LoadedConfig } from '../config/resolve.ts';
import type { Config } from '../config/schema.ts';

/** The real home, unless demo mode was asked for. */
export function realHome({ config, origins }: Pick<LoadedConfig, 'config' | 'origins'>): Config {
  const isDemo = config.demo && origins.get('demo')?.from !== 'default';
  return { ...config, dataDir: isDemo ? config.dataDir : config.home };
}
