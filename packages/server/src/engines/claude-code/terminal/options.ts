// What terminals need.
import type { PersonName } from '@parley/protocol';
import type { Gateway } from '../../../domain/gateway.ts';
import type { WorkFolders } from '../../../domain/work-folders.ts';
import type { ClaudeCodeEngine } from '../engine.ts';

export interface TerminalsOptions {
  readonly engine: ClaudeCodeEngine;
  readonly gateway: Pick<Gateway, 'getSession' | 'state'>;
  readonly folders: Pick<WorkFolders, 'check'>;
  /** Who may use a terminal. They can run anything as the user of the server. */
  readonly people: readonly PersonName[];
  readonly defaults: { readonly model?: string; readonly permissionMode?: string };
  readonly backlogBytes?: number;
  readonly idleMs: number;
}
