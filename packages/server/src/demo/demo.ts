// Demo mode: the stand-in for the Anthropic API, with sample notes and a sample project for it to work on.
import { demoMind, livePace, startAnthropicStandIn } from '@parley/stand-ins';
import type { Config } from '../config/schema.ts';
import { demoProjectsRoot, demoVaultRoot } from './layout.ts';
import { prepareDemo, prepareProject } from './prepare-demo.ts';

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
  workRoots,
}: Pick<Config, 'home' | 'vaultRoot' | 'workRoots'>): Promise<RunningDemo> {
  if (vaultRoot === demoVaultRoot(home)) await prepareDemo(home);
  if (workRoots.includes(demoProjectsRoot(home))) await prepareProject(home);
  const standIn = await startAnthropicStandIn({
    mind: demoMind,
    pace: livePace,
    record: { requests: 20, bytes: 4 * 1024 * 1024 },
  });
  return { url: standIn.url, apiKey: 'demo', close: () => standIn.close() };
}
