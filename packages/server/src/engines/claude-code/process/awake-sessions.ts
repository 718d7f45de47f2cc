// Gives each session at most one process. Starts it when somebody needs it, and remembers what the session's next
// process has to know.
import { createProvider, type PermissionMode, type Provider, warmUp } from '@parley/claude-cli';
import {
  type ClaudeCodeSettings,
  type CodeModel,
  ParleyError,
  type PersonName,
  type Session,
  type SessionId,
  say,
  type TurnEvent,
  type TurnId,
} from '@parley/protocol';
import { pause } from '../../../basics/backoff.ts';
import { payerOf } from '../../../domain/budgets.ts';
import type { CodeSessionStatus } from '../../../domain/code-sessions.ts';
import type { EngineTurn, TurnSlots } from '../../../domain/engine.ts';
import type { ClaudeCodeOptions } from '../claude-code-options.ts';
import type { KeyRelay } from '../relay/key-relay.ts';
import { untrustedNotice } from '../trust/untrusted.ts';
import { AwakeProcesses } from './awake-processes.ts';
import { AwakeSession } from './awake-session.ts';
import { inTerminal, toParleyError } from './failures.ts';
import { modelsOf } from './models.ts';
import { type Occupant, Occupants } from './occupants.ts';
import { SessionNotes } from './session-notes.ts';
import { SessionProcess } from './session-process.ts';
import { allowing, type StartSettings } from './settings.ts';
import { StartChecks } from './start-checks.ts';
import { launch, startSession } from './start-session.ts';
import { WarmProcesses } from './warm-processes.ts';

interface AwakeSessionsOptions extends ClaudeCodeOptions {
  /** Each running turn and each terminal takes one. */
  readonly slots: Pick<TurnSlots, 'tryTake' | 'release' | 'count'>;
  readonly relay: KeyRelay;
  /** Sessions that need their process, even if it is not busy yet. */
  readonly working: Pick<ReadonlySet<SessionId>, 'has'>;
}

/** Memory that must be free to start a process that only waits. */
const neededBytes = 1024 ** 3;
const lookAgainMs = 50;
/** About as long as the first answer of a session takes. */
const refillMs = 2_000;

export class AwakeSessions {
  readonly #options: AwakeSessionsOptions;
  readonly provider: Provider;
  readonly #processes: AwakeProcesses;
  readonly #occupants: Occupants;
  readonly #checks: StartChecks;
  readonly #notes = new SessionNotes();
  /** The calls that wait for a process. `isOver` is set when their session is deleted. */
  readonly #waiting = new Set<{ readonly id: SessionId; isOver: boolean }>();
  readonly #warm: WarmProcesses;
  #models: readonly CodeModel[] | undefined;
  #isClosed = false;

  constructor(options: AwakeSessionsOptions) {
    this.#options = options;
    this.#occupants = new Occupants(options.slots);
    this.#checks = new StartChecks(options);
    this.#processes = new AwakeProcesses({
      ...options,
      others: () => this.#occupants.ids.length + this.#warm.count,
      stopOther: () => this.#warm.stopOne(),
    });
    const { program, homes } = options;
    this.provider = createProvider({ environment: homes.host, ...(program !== undefined && { program }) });
    this.#warm = new WarmProcesses({
      size: options.limits.warmProcesses,
      idleMs: options.limits.idleMs,
      refillMs,
      newId: options.newId,
      hasRoom: () => !this.#processes.isFull && options.freeMemory() >= neededBytes,
      check: (settings) => this.#checks.check(settings.person, settings),
      start: (id, settings) => launch({ ...this.#programFor(id), settings }, { resume: false }),
      warmUp: (process) => {
        this.#models = modelsOf(process, this.#models);
        return warmUp(process);
      },
    });
  }

  /** As last reported by the program. */
  get models(): readonly CodeModel[] | undefined {
    return this.#models;
  }

  /**
   * Returns the session's process, and starts one if there is none. Concurrent callers share it. A turn waits for room;
   * other callers get `busy` if there is none.
   */
  acquire(session: Session, turn?: Pick<EngineTurn, 'id' | 'signal'>): Promise<AwakeSession> {
    const wait = { id: session.id, isOver: false };
    this.#waiting.add(wait);
    return this.#acquire(session, turn, wait).finally(() => this.#waiting.delete(wait));
  }

  async #acquire(
    session: Session,
    turn: Pick<EngineTurn, 'id' | 'signal'> | undefined,
    wait: { readonly isOver: boolean },
  ): Promise<AwakeSession> {
    for (;;) {
      if (this.#isClosed) throw new ParleyError('unavailable', 'The server is stopping.');
      if (wait.isOver) throw new ParleyError('not_found', say`The session was deleted.`);
      if (this.#occupants.has(session.id)) throw inTerminal();
      const entry = this.#processes.get(session.id);
      if (entry?.isEnding || (entry?.awake.isStale && !entry.awake.isBusy)) {
        await this.#processes.end(session.id, entry);
        continue;
      }
      if (entry) {
        await (turn ? entry.usable : entry.started);
        const isUnfit = turn !== undefined && entry.awake.isViewOnly;
        const isOutdated = () => entry.takeCheck(turn?.id) ?? this.#checks.isOutdated(session, entry);
        if (isUnfit || (await isOutdated())) entry.awake.isStale = true;
        // It may have been put to sleep in the meantime, for example for a terminal.
        else if (!entry.isEnding) return entry.awake;
        // It works on something of its own, and ends afterwards.
        turn?.signal.throwIfAborted();
        if (turn && entry.awake.isBusy) await pause(lookAgainMs, turn.signal);
        continue;
      }
      const settings = await this.#ready(session, turn?.signal);
      if (wait.isOver) continue;
      // Somebody else may have come first while this call waited.
      if (this.#processes.has(session.id) || this.#occupants.has(session.id)) continue;
      if (this.#processes.isFull && !this.#warm.has(session.id)) continue;
      this.#start(session, settings, turn !== undefined);
    }
  }

  /** Checks the process while the turn that it is for is being stored. */
  expect(session: Session, turn: TurnId): void {
    const entry = this.#processes.get(session.id);
    // While the program works on something of its own, the check would say nothing about the time afterwards.
    if (entry?.isStarted && !entry.awake.isBusy)
      entry.keepCheck(turn, this.#checks.isOutdated(session, entry));
  }

  /** The id of a new session that a process already waits for; undefined if none does. */
  async warmId(person: PersonName, settings: ClaudeCodeSettings): Promise<SessionId | undefined> {
    return this.#warm.claim(await this.#checks.startSettings(person, settings));
  }

  /** Call it when somebody is about to create a session with these settings. */
  async prepare(person: PersonName, settings: ClaudeCodeSettings): Promise<void> {
    this.#warm.prepare(await this.#checks.startSettings(person, settings));
  }

  /** Settles when enough processes are waiting: for tests and measurements. */
  warmedUp(): Promise<void> {
    return this.#warm.filled();
  }

  /** Shown once to the person, if the configuration of the folder is not used. */
  untrustedNotice(id: SessionId): TurnEvent | undefined {
    const folder = this.#processes.get(id)?.folder;
    if (!folder || folder.isTrusted || this.#notes.of(id).shownUntrusted === folder.digest) return undefined;
    this.#notes.add(id, { shownUntrusted: folder.digest });
    return untrustedNotice;
  }

  /** The session's process if it is ready. */
  peek(id: SessionId): AwakeSession | undefined {
    const entry = this.#processes.get(id);
    return entry?.isStarted && !entry.isEnding ? entry.awake : undefined;
  }

  /** Undefined releases the last listener, which holds on to everything that happened in the session. */
  listen(id: SessionId, publish: ((event: TurnEvent) => void) | undefined): void {
    if (publish !== this.#notes.of(id).publish) this.#notes.add(id, { publish });
    const entry = this.#processes.get(id);
    if (entry) entry.awake.publish = publish;
  }

  statusOf(id: SessionId): CodeSessionStatus {
    if (this.#processes.has(id) || this.#occupants.has(id)) return 'active';
    return this.#notes.of(id).failed ? 'dead' : 'archived';
  }

  /** Sessions that have a process, or whose last process failed. */
  get known(): readonly SessionId[] {
    return [...new Set([...this.#processes.ids, ...this.#occupants.ids, ...this.#notes.failed])];
  }

  /** The mode that the program is in, or had switched to before it went to sleep. */
  permissionModeOf(id: SessionId): PermissionMode | undefined {
    return this.peek(id)?.permissionMode ?? this.#notes.of(id).mode?.actual;
  }

  /** Call it when somebody chooses a mode: the one that the program had switched to no longer counts. */
  forgetMode(id: SessionId): void {
    this.#notes.add(id, { mode: undefined });
  }

  async sleep(id: SessionId): Promise<void> {
    await this.#processes.sleep(id);
  }

  async rest(id: SessionId): Promise<void> {
    await this.#processes.rest(id);
  }

  /** Hands the session over to an occupant, which runs the program itself. `conflict` if the program is working. */
  async occupy(session: Session, occupant: Occupant): Promise<() => void> {
    const { id } = session;
    if (this.#processes.get(id)?.awake.isBusy) {
      throw new ParleyError('conflict', 'The program is working in this session. Wait until it is done.');
    }
    return this.#occupants.add(session, occupant, async () => {
      await this.#processes.sleep(id);
      // The occupant spends too, and afterwards only the transcript knows how much.
      this.#notes.add(id, { spentUsd: undefined });
      // The occupant itself counts already.
      await this.#processes.makeRoom(undefined, () => !this.#processes.isOverLimit);
    });
  }

  async release(id: SessionId): Promise<void> {
    for (const wait of this.#waiting) wait.isOver ||= wait.id === id;
    await this.#occupants.end(id, say`The session was deleted.`);
    const entry = this.#processes.get(id);
    if (entry) {
      await entry.started.catch(() => undefined);
      await entry.awake.kill();
    }
    await this.#warm.stop(id);
    this.#notes.forget(id);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#processes.close();
    await this.#occupants.endAll(say`The server is stopping.`);
    await this.#warm.close();
    await this.provider.close();
  }

  /** Checks and prepares what a process needs to start. */
  async #ready(session: Session, turn: AbortSignal | undefined): Promise<StartSettings> {
    // Somebody else may start the process meanwhile, and take the room that this call waits for.
    const isTaken = () => this.#processes.has(session.id) || this.#occupants.has(session.id);
    if (!this.#warm.has(session.id)) await this.#processes.makeRoom(turn, isTaken);
    // Only now, because the folder may have changed while this call waited for room.
    const settings = await this.#checks.startSettings(session.person, session.settings);
    return { ...settings, permissionMode: this.#notes.modeFor(session.id, settings.permissionMode) };
  }

  #programFor(id: SessionId) {
    const { relay } = this.#options;
    return { provider: this.provider, relay, holder: this.#processes.holderOf(id), id };
  }

  #start(session: Session, settings: StartSettings, isForTurn: boolean): void {
    const { id } = session;
    const { homes, spending } = this.#options;
    const note = this.#notes.of(id);
    const payer = payerOf(session);
    const awake = new AwakeSession({
      payer,
      // The relay books what passes through it.
      ...(!homes.upstream && { book: (used) => spending.book(payer, used) }),
      settings: {
        ...settings,
        permissionMode: this.#checks.settingsOf(session.person, session.settings).permissionMode,
      },
      newId: this.#options.newId,
      onChange: () => this.#processes.watchIdle(id, entry),
      onEnd: (error) => this.#gone(id, entry, error),
    });
    awake.publish = note.publish;
    awake.rules = note.rules ?? [];
    const setup = {
      ...this.#programFor(id),
      settings: allowing(awake.rules, settings),
      spentUsd: note.spentUsd,
      warm: this.#warm.take(id, settings),
      refused: note.refused,
      onRefused: (refused: string) => this.#notes.add(id, { refused }),
      isForTurn,
    };
    const start = async (onUsable: () => void) => {
      try {
        await startSession(awake, setup, onUsable);
      } catch (error) {
        if (this.#processes.get(id) === entry) this.#gone(id, entry, error as Error);
        throw toParleyError(error);
      }
      entry.isStarted = true;
      this.#models = modelsOf(awake.process, this.#models);
      this.#notes.add(id, { failed: undefined });
      this.#processes.watchIdle(id, entry);
    };
    const entry = new SessionProcess({ awake, folder: settings.folder, start }, this.#options.clock.now());
    this.#processes.add(id, entry);
  }

  #gone(id: SessionId, entry: SessionProcess, error: Error | undefined): void {
    this.#processes.forget(id, entry);
    this.#notes.processEnded(id, entry, error);
    if (error) this.#options.logger.warn({ err: error, session: id }, 'a claude process failed');
  }
}
