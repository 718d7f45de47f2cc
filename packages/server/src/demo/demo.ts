// Demo mode: the stand-in for the Anthropic API, and sample notes for it to work on.
import { demoMind, livePace, startAnthropicStandIn } from '@parley/stand-ins';
import type { Config } from '../config/schema.ts';
import { demoVaultRoot } from './layout.ts';
import { prepareDemo } from './prepare-demo.ts';

export interface RunningDemo {
  /** Takes the place of the address of the Anthropic API. */
  readonly url: string;
  /** The stand-in takes any key. */
  readonly apiKey: string;
  close(): Promise<void>;
}

export async function startDemo({
  home,
  vaultRoot,
}: Pick<Config, 'home' | 'vaultRoot'>): Promise<RunningDemo> {
  if (vaultRoot === demoVaultRoot(home)) await prepareDemo(home);
  const standIn = await startAnthropicStandIn({
    mind: demoMind,
    pace: livePace,
    record: { requests: 20, bytes: 4 * 1024 * 1024 },
  });
  return { url: standIn.url, apiKey: 'demo', close: () => standIn.close() };
}
