// The `claude-code` engine: the `claude` program answers. Its transcripts are the record of its sessions, so the gateway
// stores no events. The driver is loaded with the first session, not at the start of the server.
import { setMaxListeners } from 'node:events';
import {
  type ClaudeCodeSettings,
  type CodeModel,
  type EngineFailure,
  ParleyError,
  type Session,
  type SessionId,
  type Todo,
} from '@parley/protocol';
import type { CodeSessionStatus } from '../../domain/code-sessions.ts';
import type { Engine } from '../../domain/engine.ts';
import { type Logger, silentLogger } from '../../domain/logger.ts';
import type { ClaudeCodeOptions } from './options.ts';
import type { AwakeSessions } from './process/awake-sessions.ts';
import type { ProgramHome } from './program-home.ts';

export interface ClaudeCodeEngine extends Engine {
  readonly home: ProgramHome;
  statusOf(id: SessionId): CodeSessionStatus;
  /** A turn runs. */
  isWorking(id: SessionId): boolean;
  /** A permission waits for somebody. */
  isWaiting(id: SessionId): boolean;
  /** The task list of a session whose process is awake. */
  todosOf(id: SessionId): readonly Todo[] | undefined;
  /** Sessions that have a process, and those whose last one failed. */
  known(): readonly SessionId[];
  /**
   * Hands the session over to its terminal until the returned function is called. `end` is called when the
   * session is deleted or the server stops. `conflict` while the program is at work.
   */
  occupy(session: Session, occupant: { end(reason: string): Promise<void> }): Promise<() => void>;
  /** The id for a new session with these settings that a process is already waiting for; undefined if none is. */
  warmId(settings: ClaudeCodeSettings): Promise<SessionId | undefined>;
  /** The models that the program offers, as reported last; undefined before the first start. */
  models(): readonly CodeModel[] | undefined;
  /** The mode that the program is in, or will be in when it wakes; undefined until it has reported one. */
  permissionModeOf(id: SessionId): string | undefined;
  /** Settles when enough processes are waiting. */
  warmedUp(): Promise<void>;
  /** The path of the program. */
  findProgram(): Promise<string>;
}

export function createClaudeCodeEngine(
  given: Omit<ClaudeCodeOptions, 'logger'> & { readonly logger?: Logger },
): ClaudeCodeEngine {
  const options: ClaudeCodeOptions = { ...given, logger: given.logger ?? silentLogger };
  let loaded: AwakeSessions | undefined;
  let loading: Promise<AwakeSessions> | undefined;
  let isClosed = false;

  function sessions(): Promise<AwakeSessions> {
    loading ??= import('./process/awake-sessions.ts').then(({ AwakeSessions }) => {
      if (isClosed) throw new ParleyError('unavailable', 'The server is stopping.');
      loaded = new AwakeSessions(options);
      return loaded;
    });
    return loading;
  }

  return {
    name: 'claude-code',
    storesEvents: false,
    home: options.home,

    async *run(turn) {
      // Every question of the turn listens to it.
      setMaxListeners(0, turn.signal);
      const awake = await untilAborted(
        sessions().then((all) => all.acquire(turn.session)),
        turn.signal,
      );
      if (awake instanceof ParleyError) yield failure(awake);
      if (!awake || awake instanceof ParleyError) return;
      yield* awake.run(turn);
      const { nameNewSession } = await import('./process/name-session.ts');
      await nameNewSession(awake, turn.session, { projects: options.home.projects, logger: options.logger });
    },

    isReady: (id) => loaded?.peek(id)?.isStale === false,

    async wake(session, publish) {
      const all = await sessions();
      all.listen(session.id, publish);
      await all.acquire(session);
    },

    unwatch: (id) => loaded?.unlisten(id),

    steer: async (session, prompt) => loaded?.peek(session.id)?.steer(prompt) ?? false,

    async configure(session, chosen) {
      const { configure } = await import('./process/configure.ts');
      await configure(await sessions(), session, chosen, options);
    },

    release: async (id) => loaded?.release(id),

    async close() {
      isClosed = true;
      await loading?.catch(() => undefined);
      await loaded?.close();
    },

    statusOf: (id) => loaded?.statusOf(id) ?? 'archived',
    isWorking: (id) => loaded?.peek(id)?.isBusy ?? false,
    isWaiting: (id) => loaded?.peek(id)?.isWaiting ?? false,
    todosOf: (id) => loaded?.peek(id)?.todos,
    known: () => loaded?.known ?? [],
    occupy: async (session, occupant) => (await sessions()).occupy(session, occupant),
    warmId: async (settings) =>
      options.limits.warmProcesses > 0 ? (await sessions()).warmId(settings) : undefined,
    models: () => loaded?.models,
    permissionModeOf: (id) => loaded?.permissionModeOf(id),
    warmedUp: async () => loaded?.warmedUp(),
    findProgram: async () => (await sessions()).provider.findProgram(),
  };
}

/** The error if it fails; undefined if the turn is interrupted first. The process then keeps starting. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | ParleyError | undefined> {
  const settled = work.catch((error: unknown) => ParleyError.from(error));
  if (signal.aborted) return undefined;
  let onAbort = () => {};
  const aborted = new Promise<undefined>((resolve) => {
    onAbort = () => resolve(undefined);
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([settled, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

function failure({ code, message }: ParleyError): EngineFailure {
  return { type: 'failed', code, message, recoverable: code !== 'forbidden' && code !== 'invalid' };
}
