// What terminals need.
import type { PersonName, Session, Usage } from '@parley/protocol';
import type { FolderTrust } from '../../../domain/folder-trust.ts';
import type { Gateway } from '../../../domain/gateway.ts';
import type { ClaudeCodeEngine } from '../engine.ts';
import type { SettingsRules } from '../process/settings.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';

export interface TerminalsOptions extends SettingsRules {
  readonly engine: ClaudeCodeEngine;
  readonly gateway: Pick<Gateway, 'getSession' | 'state'>;
  readonly trust: Pick<FolderTrust, 'look'>;
  readonly sandbox?: Pick<Sandbox, 'confine'>;
  /** Who may use a terminal. They can run anything as the user of the server. */
  readonly people: readonly PersonName[];
  /** Called with the usage of terminals, which no turn reports. Known only if the server holds the key. */
  readonly onUsage?: (session: Session, model: string, usage: Usage) => void;
  readonly backlogBytes?: number;
  readonly idleMs: number;
}
