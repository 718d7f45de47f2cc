// The types of the checks of `parley doctor`, and of what they find.
import type { Sentence } from '@parley/protocol';
import type { Outgoing } from '../../basics/outgoing.ts';
import type { Environment } from '../../config/environment.ts';
import type { LoadedConfig } from '../../config/resolve.ts';
import type { Config } from '../../config/schema.ts';

export type Finding<Text extends string = string> =
  | { readonly state: 'ok'; readonly detail: Text }
  /** `warning`: Parley starts, but something may not work. `broken`: it does not start. `fix` says what to do. */
  | { readonly state: 'warning' | 'broken'; readonly detail: Text; readonly fix: Text };

export interface Examined {
  readonly config: Config;
  readonly loaded: LoadedConfig;
  readonly environment: Environment;
  readonly outgoing: Outgoing;
  /** Aborts a check that takes too long. */
  readonly signal: AbortSignal;
}

export interface Check<Text extends string = string> {
  readonly name: Text;
  /** Returns one finding for each thing that it checks. An error counts as broken. */
  run(examined: Examined): Promise<readonly Finding<Text>[]>;
}

/** A check that the app shows too, in the reader's language. */
export type HealthCheck = Check<Sentence>;

/** A check that needs only the configuration and is quick enough for every start. */
export interface QuickCheck extends HealthCheck {
  run(examined: Pick<Examined, 'config' | 'loaded' | 'environment'>): ReturnType<HealthCheck['run']>;
}

export const ok = <Text extends string>(detail: Text): Finding<Text> => ({ state: 'ok', detail });
export const warning = <Text extends string>(detail: Text, fix: Text): Finding<Text> => ({
  state: 'warning',
  detail,
  fix,
});
export const broken = <Text extends string>(detail: Text, fix: Text): Finding<Text> => ({
  state: 'broken',
  detail,
  fix,
});
