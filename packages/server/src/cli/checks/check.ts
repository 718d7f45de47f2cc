// The checks of `parley doctor` and what they find.
import type { Outgoing } from '../../basics/outgoing.ts';
import type { Environment } from '../../config/environment.ts';
import type { LoadedConfig } from '../../config/resolve.ts';
import type { Config } from '../../config/schema.ts';

export type Finding =
  | { readonly state: 'ok'; readonly detail: string }
  /** `warning`: Parley starts, but something may not work. `broken`: it does not start. `fix` says what to do. */
  | { readonly state: 'warning' | 'broken'; readonly detail: string; readonly fix: string };

export interface Examined {
  readonly config: Config;
  readonly loaded: LoadedConfig;
  readonly environment: Environment;
  readonly outgoing: Outgoing;
  /** Aborts a check that takes too long. */
  readonly signal: AbortSignal;
}

export interface Check {
  readonly name: string;
  /** Returns one finding for each thing that it checks. An error counts as broken. */
  run(examined: Examined): Promise<readonly Finding[]>;
}

/** A check that needs only the configuration and is quick enough for every start. */
export interface QuickCheck extends Check {
  run(examined: Pick<Examined, 'config' | 'loaded' | 'environment'>): ReturnType<Check['run']>;
}

export const ok = (detail: string): Finding => ({ state: 'ok', detail });
export const warning = (detail: string, fix: string): Finding => ({ state: 'warning', detail, fix });
export const broken = (detail: string, fix: string): Finding => ({ state: 'broken', detail, fix });
