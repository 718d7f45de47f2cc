// Which sessions have a process: at most one each, with a limit for all. A process that is idle for long is put to sleep, and
// the one that is idle longest makes room when there are too many.
import { createProvider, type PermissionMode, type Provider, warmUp } from '@parley/claude-cli';
import {
  type ClaudeCodeSettings,
  type CodeModel,
  ParleyError,
  type Session,
  type SessionId,
  type TurnEvent,
} from '@parley/protocol';
import type { CodeSessionStatus } from '../../../domain/code-sessions.ts';
import type { ClaudeCodeOptions } from '../options.ts';
import { AwakeSession } from './awake-session.ts';
import { toParleyError } from './failures.ts';
import { modelsOf } from './models.ts';
import { SessionNotes } from './session-notes.ts';
import { type CodeSettings, readSettings } from './settings.ts';
import { bringUp, startSession } from './start-session.ts';
import { WarmProcesses } from './warm-processes.ts';

interface Entry {
  readonly awake: AwakeSession;
  readonly started: Promise<void>;
  isStarted: boolean;
  idleSince: number;
  idleTimer: NodeJS.Timeout | undefined;
  ending: Promise<void> | undefined;
}

/** Somebody else who runs the program on a session: its terminal. */
interface Occupant {
  end(reason: string): Promise<void>;
}

/** About as long as the first answer of a session takes. */
const refillMs = 2_000;

export class AwakeSessions {
  readonly #options: ClaudeCodeOptions;
  readonly #provider: Provider;
  readonly #entries = new Map<SessionId, Entry>();
  readonly #occupants = new Map<SessionId, Occupant>();
  readonly #notes = new SessionNotes();
  readonly #warm: WarmProcesses;
  #models: readonly CodeModel[] | undefined;
  #isClosed = false;

  constructor(options: ClaudeCodeOptions) {
    this.#options = options;
    const { program, home } = options;
    this.#provider = createProvider({ environment: home.host, ...(program !== undefined && { program }) });
    this.#warm = new WarmProcesses({
      size: options.limits.warmProcesses,
      idleMs: options.limits.idleMs,
      refillMs,
      newId: options.newId,
      hasRoom: () => !this.#isFull,
      start: async (id, settings) => {
        const setup = { provider: this.#provider, home, id, settings };
        const started = await bringUp(setup, { resume: false });
        this.#models = modelsOf(started.process, this.#models);
        await warmUp(started.process);
        return started;
      },
    });
  }

  get provider(): Provider {
    return this.#provider;
  }

  /** What the program offers, as reported last. */
  get models(): readonly CodeModel[] | undefined {
    return this.#models;
  }

  /** The session's process, started if there is none. Callers that come at the same time share one. */
  async acquire(session: Session): Promise<AwakeSession> {
    for (;;) {
      if (this.#isClosed) throw new ParleyError('unavailable', 'The server is stopping.');
      if (this.#occupants.has(session.id)) throw inTerminal();
      const entry = this.#entries.get(session.id);
      if (entry?.ending || (entry?.awake.isStale && !entry.awake.isBusy)) {
        await this.#end(session.id, entry);
        continue;
      }
      if (entry) {
        await entry.started;
        // It may have been put to sleep in the meantime, for example for a terminal.
        if (!entry.ending) return entry.awake;
        continue;
      }
      const settings = await this.#ready(session);
      // Others may have come first while this one waited.
      if (this.#entries.has(session.id) || this.#occupants.has(session.id)) continue;
      if (this.#isFull && !this.#warm.has(session.id)) continue;
      this.#start(session, settings);
    }
  }

  /** The id for a new session that a process is already waiting for; undefined if none is. */
  async warmId(settings: ClaudeCodeSettings): Promise<SessionId | undefined> {
    const wanted = readSettings({ ...this.#options.defaults, ...settings });
    return this.#warm.claim({ ...wanted, workingDir: await this.#options.folders.check(wanted.workingDir) });
  }

  /** Settles when enough processes are waiting: for tests and measurements. */
  warmedUp(): Promise<void> {
    return this.#warm.filled();
  }

  /** The session's process if it is ready. */
  peek(id: SessionId): AwakeSession | undefined {
    const entry = this.#entries.get(id);
    return entry?.isStarted && !entry.ending ? entry.awake : undefined;
  }

  listen(id: SessionId, publish: (event: TurnEvent) => void): void {
    this.#notes.add(id, { publish });
    const entry = this.#entries.get(id);
    if (entry) entry.awake.publish = publish;
  }

  /** Releases the listener, which holds on to everything that happened in the session. */
  unlisten(id: SessionId): void {
    if (this.#notes.of(id).publish) this.#notes.add(id, { publish: undefined });
    const entry = this.#entries.get(id);
    if (entry) entry.awake.publish = undefined;
  }

  statusOf(id: SessionId): CodeSessionStatus {
    if (this.#entries.has(id) || this.#occupants.has(id)) return 'active';
    return this.#notes.of(id).failed ? 'dead' : 'archived';
  }

  /** Sessions that have a process, and those whose last one failed. */
  get known(): readonly SessionId[] {
    return [...new Set([...this.#entries.keys(), ...this.#occupants.keys(), ...this.#notes.failed])];
  }

  /** The mode that the program is in, or had changed to by itself before it went to sleep. */
  permissionModeOf(id: SessionId): PermissionMode | undefined {
    return this.peek(id)?.permissionMode ?? this.#notes.of(id).mode?.actual;
  }

  /** A mode was chosen: the one that the program had changed to by itself no longer counts. */
  forgetMode(id: SessionId): void {
    this.#notes.add(id, { mode: undefined });
  }

  async sleep(id: SessionId): Promise<void> {
    const entry = this.#entries.get(id);
    if (entry) await this.#end(id, entry);
  }

  /** Hands the session to somebody else who runs the program on it. `conflict` while it works. */
  async occupy(session: Session, occupant: Occupant): Promise<() => void> {
    const { id } = session;
    if (this.#occupants.has(id)) throw inTerminal();
    if (this.#entries.get(id)?.awake.isBusy) {
      throw new ParleyError('conflict', 'The program is working in this session. Wait until it is done.');
    }
    this.#occupants.set(id, occupant);
    const leave = () => {
      if (this.#occupants.get(id) === occupant) this.#occupants.delete(id);
    };
    try {
      await this.sleep(id);
      await this.#makeRoom();
      return leave;
    } catch (error) {
      leave();
      throw error;
    }
  }

  async release(id: SessionId): Promise<void> {
    await this.#occupants.get(id)?.end('The session was deleted.');
    const entry = this.#entries.get(id);
    if (entry) {
      await entry.started.catch(() => undefined);
      await entry.awake.kill();
    }
    this.#notes.forget(id);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { idleTimer } of this.#entries.values()) clearTimeout(idleTimer);
    await Promise.all(
      [...this.#occupants.values()].map((occupant) => occupant.end('The server is stopping.')),
    );
    await this.#warm.close();
    await this.#provider.close();
  }

  /** Checks and prepares what a process needs to start. */
  async #ready(session: Session): Promise<CodeSettings> {
    const settings = this.#settingsOf(session);
    const workingDir = await this.#options.folders.check(settings.workingDir);
    if (!this.#warm.has(session.id)) await this.#makeRoom();
    const { mode } = this.#notes.of(session.id);
    const isReplaced = mode !== undefined && mode.chosen === settings.permissionMode;
    return { ...settings, workingDir, ...(isReplaced && { permissionMode: mode.actual }) };
  }

  get #isFull(): boolean {
    const count = this.#entries.size + this.#occupants.size + this.#warm.count;
    return count >= this.#options.limits.maxProcesses;
  }

  #settingsOf(session: Session): CodeSettings {
    return readSettings({ ...this.#options.defaults, ...session.settings });
  }

  #start(session: Session, settings: CodeSettings): void {
    const { id } = session;
    const note = this.#notes.of(id);
    const awake = new AwakeSession({
      settings: { ...settings, permissionMode: this.#settingsOf(session).permissionMode },
      newId: this.#options.newId,
      onChange: () => this.#watchIdle(id, entry),
      onEnd: (error) => this.#gone(id, entry, error),
    });
    awake.publish = note.publish;
    const started = startSession(awake, {
      provider: this.#provider,
      home: this.#options.home,
      id,
      settings,
      spentUsd: note.spentUsd,
      warm: this.#warm.take(id, settings),
    }).then(
      () => {
        entry.isStarted = true;
        this.#models = modelsOf(awake.process, this.#models);
        this.#notes.add(id, { failed: undefined });
        this.#watchIdle(id, entry);
      },
      (error: unknown) => {
        this.#gone(id, entry, error as Error);
        throw toParleyError(error);
      },
    );
    started.catch(() => undefined);
    const entry: Entry = {
      awake,
      started,
      isStarted: false,
      idleSince: this.#options.clock.now(),
      idleTimer: undefined,
      ending: undefined,
    };
    this.#entries.set(id, entry);
  }

  async #makeRoom(): Promise<void> {
    while (this.#isFull) {
      if (await this.#warm.stopOne()) continue;
      const idle = [...this.#entries].filter(([, entry]) => entry.isStarted && !entry.awake.isBusy);
      const [longest] = idle.sort(([, a], [, b]) => a.idleSince - b.idleSince);
      if (!longest) throw allBusy(this.#options.limits.maxProcesses);
      await this.#end(...longest);
    }
  }

  #watchIdle(id: SessionId, entry: Entry): void {
    clearTimeout(entry.idleTimer);
    if (entry.awake.isBusy || this.#isClosed) return;
    entry.idleSince = this.#options.clock.now();
    entry.idleTimer = setTimeout(() => {
      if (!entry.awake.isBusy) void this.#end(id, entry);
      else this.#watchIdle(id, entry);
    }, this.#options.limits.idleMs);
    entry.idleTimer.unref();
  }

  #end(id: SessionId, entry: Entry): Promise<void> {
    clearTimeout(entry.idleTimer);
    entry.ending ??= entry.started.then(() => entry.awake.sleep()).catch(() => undefined);
    return entry.ending.then(() => {
      if (this.#entries.get(id) === entry) this.#entries.delete(id);
    });
  }

  #gone(id: SessionId, entry: Entry, error: Error | undefined): void {
    clearTimeout(entry.idleTimer);
    if (this.#entries.get(id) === entry) this.#entries.delete(id);
    const { permissionMode: actual, settings, totalCostUsd } = entry.awake;
    const isChanged = actual !== undefined && actual !== settings.permissionMode;
    this.#notes.add(id, {
      failed: error !== undefined,
      ...(entry.isStarted && { spentUsd: totalCostUsd }),
      ...(isChanged && { mode: { chosen: settings.permissionMode, actual } }),
    });
    if (error) this.#options.logger.warn({ err: error, session: id }, 'a claude process failed');
  }
}

function inTerminal(): ParleyError {
  return new ParleyError('conflict', 'This session is open in a terminal. Close the terminal first.');
}

function allBusy(most: number): ParleyError {
  return new ParleyError(
    'busy',
    `All ${most} claude processes are busy. Wait until one is done, or raise claude.maxProcesses.`,
  );
}
