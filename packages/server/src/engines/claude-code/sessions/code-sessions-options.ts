// What the list of sessions needs.
import type { SessionId } from '@parley/protocol';
import type { Access } from '../../../domain/access.ts';
import type { Clock, NewId } from '../../../domain/clock.ts';
import type { CodeSessionStore } from '../../../domain/code-session-store.ts';
import type { Gateway } from '../../../domain/gateway.ts';
import type { Logger } from '../../../domain/logger.ts';
import type { MarkStore } from '../../../domain/session-marks.ts';
import type { Store } from '../../../domain/store.ts';
import type { TranscriptText } from '../../../domain/transcript-text.ts';
import type { WorkFolders } from '../../../domain/work-folders.ts';
import type { ClaudeCodeEngine } from '../engine.ts';

export interface CodeSessionsOptions {
  readonly engine: ClaudeCodeEngine;
  readonly gateway: Gateway;
  readonly store: Pick<Store, 'getSession'> & {
    readonly codeSessions: CodeSessionStore;
    readonly marks: Pick<MarkStore, 'hidden'>;
  };
  /** The full-text index of this machine's transcripts. */
  readonly text: TranscriptText;
  readonly folders: Pick<WorkFolders, 'check' | 'sandboxOf'>;
  readonly access: Access;
  /** Which of these stored sessions are on other machines. Absent if there is only one server. */
  readonly elsewhere?: ((ids: readonly SessionId[]) => Promise<ReadonlySet<SessionId>>) | undefined;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly logger: Logger;
}
