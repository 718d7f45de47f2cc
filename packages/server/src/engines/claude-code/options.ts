// What the engine needs.
import type { Clock, NewId } from '../../domain/clock.ts';
import type { Logger } from '../../domain/logger.ts';
import type { WorkFolders } from '../../domain/work-folders.ts';
import type { ProgramHome } from './program-home.ts';

interface ClaudeCodeLimits {
  /** Processes that may be awake at once. */
  readonly maxProcesses: number;
  /** Processes that wait for a new session. */
  readonly warmProcesses: number;
  /** A process that is idle for this long is put to sleep. */
  readonly idleMs: number;
}

export interface ClaudeCodeOptions {
  /** Path of the program; searched for if absent. */
  readonly program?: string | undefined;
  readonly home: ProgramHome;
  readonly folders: Pick<WorkFolders, 'check'>;
  /** For sessions whose settings don't name any. */
  readonly defaults: { readonly model?: string; readonly permissionMode?: string };
  readonly limits: ClaudeCodeLimits;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly logger: Logger;
}
