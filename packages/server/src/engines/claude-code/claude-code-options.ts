// What the engine needs from the rest of the server.
import type { Outgoing } from '../../basics/outgoing.ts';
import type { TurnSnapshots } from '../../domain/changes.ts';
import type { Clock, NewId } from '../../domain/clock.ts';
import type { FolderTrust } from '../../domain/folder-trust.ts';
import type { Logger } from '../../domain/logger.ts';
import type { Spending } from '../../domain/spending.ts';
import type { SettingsRules } from './process/settings.ts';
import type { ProgramHomes } from './program-homes.ts';
import type { Sandbox } from './sandbox/sandbox.ts';

interface ClaudeCodeLimits {
  /** Processes that may be awake at once. */
  readonly maxProcesses: number;
  /** Whether several people share them. If so, one person gets at most three quarters. */
  readonly isShared?: () => boolean;
  /** Processes that wait for a new session. */
  readonly warmProcesses: number;
  /** A process that is idle for this long is put to sleep. */
  readonly idleMs: number;
}

export interface ClaudeCodeOptions extends SettingsRules {
  /** Path of the program; searched for if absent. */
  readonly program?: string | undefined;
  readonly homes: ProgramHomes;
  /** Without one, programs can read and write what the user who runs Parley can. */
  readonly sandbox?: Pick<Sandbox, 'confine'>;
  readonly trust: Pick<FolderTrust, 'look'>;
  /** Records the state of the folder before each turn. */
  readonly snapshots?: TurnSnapshots;
  readonly limits: ClaudeCodeLimits;
  /** Memory that is still free for processes, in bytes. */
  readonly freeMemory: () => number;
  /** How requests reach the API; directly if absent. */
  readonly outgoing?: Pick<Outgoing, 'request'>;
  readonly spending: Spending;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly logger: Logger;
}
