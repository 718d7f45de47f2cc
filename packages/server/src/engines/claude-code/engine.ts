// The `claude-code` engine: the `claude` program answers. Its transcripts are the record of its sessions, so the gateway
// stores no events. The driver is loaded with the first session, so that the server starts faster.
import { setMaxListeners } from 'node:events';
import { sep } from 'node:path';
import {
  type ClaudeCodeSettings,
  type CodeModel,
  type EngineFailure,
  ParleyError,
  type PersonName,
  type Prompt,
  type Rewind,
  type Sentence,
  type Session,
  type SessionId,
  type Todo,
  type TurnEvent,
} from '@parley/protocol';
import { createOutgoing } from '../../basics/outgoing.ts';
import { realPathOf } from '../../basics/real-path.ts';
import { fairSlots } from '../../basics/slots.ts';
import { payerOf } from '../../domain/budgets.ts';
import type { CodeSessionStatus, ProgramOffers } from '../../domain/code-sessions.ts';
import type { Engine } from '../../domain/engine.ts';
import { silentLogger } from '../../domain/logger.ts';
import { unlimited } from '../../domain/spending.ts';
import type { ClaudeCodeOptions } from './claude-code-options.ts';
import type { AwakeSession } from './process/awake-session.ts';
import type { AwakeSessions } from './process/awake-sessions.ts';
import type { ProgramHomes } from './program-homes.ts';
import { createKeyRelay, type Holder, type ModelAccess } from './relay/key-relay.ts';

export interface ClaudeCodeEngine extends Engine {
  readonly homes: ProgramHomes;
  /** Access to the model for a process of the program. */
  openAccess(holder: Holder): Promise<ModelAccess>;
  statusOf(id: SessionId): CodeSessionStatus;
  /** Whether a turn is running. Includes a turn whose program is still starting. */
  isWorking(id: SessionId): boolean;
  /** Whether a turn of any session is running in a folder or below it. Takes a real path. */
  isWorkingIn(folder: string): Promise<boolean>;
  /** Whether a permission waits for a decision. */
  isWaiting(id: SessionId): boolean;
  /** The task list of a session whose process is awake. */
  todosOf(id: SessionId): readonly Todo[] | undefined;
  /** Sessions that have a process, or whose last process failed. */
  known(): readonly SessionId[];
  /**
   * Hands the session over to its terminal until the returned function is called. `end` is called when the
   * session is deleted or the server stops. `conflict` if the program is working.
   */
  occupy(session: Session, occupant: { end(reason: Sentence): Promise<void> }): Promise<() => void>;
  /** Puts the session's process to sleep as soon as it is idle. */
  rest(id: SessionId): Promise<void>;
  /** The id of a new session with these settings that a process already waits for; undefined if none does. */
  warmId(person: PersonName, settings: ClaudeCodeSettings): Promise<SessionId | undefined>;
  /** Starts a process for a session that somebody is about to create with these settings. */
  prepare(person: PersonName, settings: ClaudeCodeSettings): Promise<void>;
  /** The models that the program last reported; undefined before its first start. */
  models(): readonly CodeModel[] | undefined;
  /** What a session's program offers. Starts the program if it is not awake; `busy` if there is no room. */
  offers(session: Session): Promise<ProgramOffers>;
  /** Restores files to how they were before a prompt; `dryRun` only lists them. Starts the program if needed. */
  rewind(session: Session, prompt: string, dryRun: boolean): Promise<Rewind>;
  /** The mode that the program is in, or will be in when it wakes; undefined until it has reported one. */
  permissionModeOf(id: SessionId): string | undefined;
  /** Settles when enough processes are waiting. */
  warmedUp(): Promise<void>;
  /** The path of the program. */
  findProgram(): Promise<string>;
}

/** A busy program answers late. */
const contextMs = 10_000;

export function createClaudeCodeEngine(
  given: Omit<ClaudeCodeOptions, 'logger' | 'freeMemory' | 'spending'> & Partial<ClaudeCodeOptions>,
): ClaudeCodeEngine {
  const options: ClaudeCodeOptions = {
    ...given,
    logger: given.logger ?? silentLogger,
    spending: given.spending ?? unlimited,
    freeMemory: given.freeMemory ?? (() => process.availableMemory()),
  };
  const slots = fairSlots(options.limits.maxProcesses, 3 / 4, options.limits.isShared);
  /** Sessions with a turn that runs or is about to, and where. */
  const working = new Map<SessionId, unknown>();
  const relay = createKeyRelay({
    upstream: options.homes.upstream,
    outgoing: options.outgoing ?? createOutgoing(),
    spending: options.spending,
    logger: options.logger,
  });
  let loaded: AwakeSessions | undefined;
  let loading: Promise<AwakeSessions> | undefined;
  let isClosed = false;

  function sessions(): Promise<AwakeSessions> {
    loading ??= import('./process/awake-sessions.ts').then(({ AwakeSessions }) => {
      if (isClosed) throw new ParleyError('unavailable', 'The server is stopping.');
      loaded = new AwakeSessions({ ...options, slots, working, relay });
      return loaded;
    });
    return loading;
  }

  return {
    name: 'claude-code',
    storesEvents: false,
    slots,
    homes: options.homes,
    async openAccess(holder) {
      await relay.start();
      return relay.open(holder);
    },

    async *run(turn) {
      // Every permission of the turn adds a listener.
      setMaxListeners(0, turn.signal);
      working.set(turn.session.id, turn.session.settings.workingDir);
      try {
        // The relay checks again before each request. With the program's own login, this is the only check.
        const payer = payerOf(turn.session);
        await options.spending.refresh(payer);
        const refusal = options.spending.refusal(payer);
        if (refusal) {
          yield await failureOf(refusal);
          return;
        }
        const awake = await untilAborted(
          sessions().then((all) => all.acquire(turn.session, turn)),
          turn.signal,
        );
        if (!awake) return;
        if (awake instanceof ParleyError) {
          yield await failureOf(awake);
          return;
        }
        const { id: session, person } = turn.session;
        const { workingDir: folder } = awake.settings;
        // Before the turn changes anything, even by placing attached files.
        await options.snapshots?.take({ session, person, turn: turn.id, folder, signal: turn.signal });
        const notice = loaded?.untrustedNotice(turn.session.id);
        if (notice) yield notice;
        const prompt = await placed(turn.prompt, awake).catch((error: unknown) => ParleyError.from(error));
        if (prompt instanceof ParleyError) {
          yield await failureOf(prompt);
          return;
        }
        const { watchTranscript } = await import('./process/watch-transcript.ts');
        const { projects } = await options.homes.of(turn.session.person);
        const isWritten = watchTranscript(projects, awake.settings.workingDir, turn);
        yield* awake.run({ ...turn, prompt });
        if (!(await isWritten())) yield notWritten;
        const { nameNewSession } = await import('./process/name-session.ts');
        await nameNewSession(awake, turn.session, { projects, logger: options.logger });
      } finally {
        working.delete(turn.session.id);
      }
    },

    isReady: (id) => loaded?.peek(id)?.isStale === false,

    expect: (session, turn) => loaded?.expect(session, turn),

    async wake(session, publish) {
      const all = await sessions();
      all.listen(session.id, publish);
      // If there is no room, the first prompt waits for it.
      await all.acquire(session).catch((error: unknown) => {
        if (!(error instanceof ParleyError) || error.code !== 'busy') throw error;
      });
    },

    unwatch: (id) => loaded?.listen(id, undefined),

    async steer(session, prompt) {
      const awake = loaded?.peek(session.id);
      return awake ? awake.steer(await placed(prompt, awake)) : false;
    },

    async configure(session, chosen) {
      const { configure } = await import('./process/configure.ts');
      await configure(await sessions(), session, chosen, options);
    },

    async branch(branch) {
      const { branchTranscript } = await import('./sessions/branch-transcript.ts');
      const { projects } = await options.homes.of(branch.from.person);
      return branchTranscript(branch, projects);
    },

    async context({ id }) {
      const awake = loaded?.peek(id);
      if (!awake) return undefined;
      const { toContextUse } = await import('./process/context-use.ts');
      try {
        return toContextUse(await awake.process.getContextUsage({ timeoutMs: contextMs }));
      } catch {
        // Old versions refuse, and a program that is still starting can't answer.
        return undefined;
      }
    },

    async release(id) {
      await loaded?.release(id);
      await options.snapshots?.forget(id);
    },

    async close() {
      isClosed = true;
      await loading?.catch(() => undefined);
      await loaded?.close();
      await relay.close();
    },

    statusOf: (id) => loaded?.statusOf(id) ?? 'archived',
    isWorking: (id) => working.has(id) || loaded?.peek(id)?.isBusy === true,
    async isWorkingIn(folder) {
      const awake = loaded?.known.flatMap((id) => loaded?.peek(id) ?? []) ?? [];
      const busy = awake.filter(({ isBusy }) => isBusy).map(({ settings }) => settings.workingDir);
      const paths = [...working.values(), ...busy].filter((path) => typeof path === 'string');
      const folders = await Promise.all(paths.map(realPathOf));
      return folders.some((path) => path === folder || path.startsWith(`${folder}${sep}`));
    },
    isWaiting: (id) => loaded?.peek(id)?.isWaiting ?? false,
    todosOf: (id) => loaded?.peek(id)?.todos,
    known: () => loaded?.known ?? [],
    occupy: async (session, occupant) => (await sessions()).occupy(session, occupant),
    rest: async (id) => loaded?.rest(id),
    warmId: async (person, settings) =>
      options.limits.warmProcesses > 0 ? (await sessions()).warmId(person, settings) : undefined,
    prepare: async (person, settings) => {
      if (options.limits.warmProcesses > 0) await (await sessions()).prepare(person, settings);
    },
    models: () => loaded?.models,
    async offers(session) {
      const { commandsOf } = await import('./process/models.ts');
      const all = await sessions();
      const { process } = await all.acquire(session);
      return { models: all.models ?? [], commands: commandsOf(process) };
    },
    async rewind(session, prompt, dryRun) {
      const { rewindFiles } = await import('./process/rewind-files.ts');
      const { process } = await (await sessions()).acquire(session);
      return rewindFiles(process, prompt, dryRun);
    },
    permissionModeOf: (id) => loaded?.permissionModeOf(id),
    warmedUp: async () => loaded?.warmedUp(),
    findProgram: async () => (await sessions()).provider.findProgram(),
  };
}

async function failureOf(error: ParleyError): Promise<EngineFailure> {
  const { toFailure } = await import('./process/failures.ts');
  return toFailure(error);
}

/** Puts the prompt's files into the work folder. */
async function placed(prompt: Prompt, { settings }: AwakeSession): Promise<Prompt> {
  if (!prompt.some(({ type }) => type === 'file')) return prompt;
  const { placeFiles } = await import('./process/place-files.ts');
  return placeFiles(prompt, settings.workingDir);
}

/** Returns the error if the work fails; undefined if the turn is interrupted first. The process keeps starting then. */
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

const notWritten: TurnEvent = {
  type: 'notice',
  code: 'transcript-not-written',
  message:
    'The claude program could not write this turn to its transcript, so it may be lost when the session goes to sleep. Check that the disk has free space and that the transcript folder is writable.',
  tone: 'danger',
};
