// The port for the state of tool sources outside of Parley.
import type { Sentence } from '@parley/protocol';

export interface ToolSourceHealth {
  readonly name: string;
  /** `idle`: not needed so far. `failed`: it restarts at `nextTryAt`. */
  readonly state: 'idle' | 'starting' | 'ready' | 'failed';
  /** Names of its tools as the model knows them; while it is down, the ones it had. */
  readonly tools: readonly string[];
  readonly lastError: Sentence | undefined;
  readonly restarts: number;
  /** Milliseconds since the epoch. */
  readonly nextTryAt: number | undefined;
}

export interface ToolHealth {
  status(): readonly ToolSourceHealth[];
}
