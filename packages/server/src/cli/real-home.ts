// The home that `backup`, `restore` and `migrate` use. Without an API key, the configuration points to the demo's data.
import type { LoadedConfig } from '../config/resolve.ts';
import type { Config } from '../config/schema.ts';

/** The real home, unless somebody has turned on demo mode. */
export function realHome({ config, origins }: Pick<LoadedConfig, 'config' | 'origins'>): Config {
  const isDemo = config.demo && origins.get('demo')?.from !== 'default';
  return { ...config, dataDir: isDemo ? config.dataDir : config.home };
}
