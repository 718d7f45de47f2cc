// The checks of `parley doctor` and what they find.
import type { Environment } from '../../config/environment.ts';
import type { LoadedConfig } from '../../config/load.ts';
import type { Config } from '../../config/schema.ts';

export type Finding =
  | { readonly state: 'ok'; readonly detail: string }
  /** `warning`: Parley starts, but something may not work. `broken`: it does not start. `mend` says what to do. */
  | { readonly state: 'warning' | 'broken'; readonly detail: string; readonly mend: string };

export interface Examined {
  readonly config: Config;
  readonly loaded: LoadedConfig;
  readonly environment: Environment;
  /** Aborts a check that takes too long. */
  readonly signal: AbortSignal;
}

export interface Check {
  readonly name: string;
  /** Returns one finding for each thing that it checks. An error counts as broken. */
  run(examined: Examined): Promise<readonly Finding[]>;
}

export const ok = (detail: string): Finding => ({ state: 'ok', detail });
export const warning = (detail: string, mend: string): Finding => ({ state: 'warning', detail, mend });
export const broken = (detail: string, mend: string): Finding => ({ state: 'broken', detail, mend });
