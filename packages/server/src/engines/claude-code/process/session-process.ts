// The process of one session, from its start to its end, and how long it has been idle.
import type { TurnId } from '@parley/protocol';
import type { AwakeSession } from './awake-session.ts';
import type { StartSettings } from './settings.ts';

export interface SessionProcessParts {
  readonly awake: AwakeSession;
  readonly folder: StartSettings['folder'];
  /** Resolves when the program is ready. Calls `onUsable` earlier: from then on the session takes prompts. */
  readonly start: (onUsable: () => void) => Promise<void>;
}

export class SessionProcess {
  readonly awake: AwakeSession;
  readonly folder: StartSettings['folder'];
  /** Resolves when the session takes prompts; the program may still be starting. */
  readonly usable: Promise<void>;
  readonly started: Promise<void>;
  isStarted = false;
  /** Goes to sleep after the running turn. */
  rests = false;
  idleSince: number;
  #idleTimer: NodeJS.Timeout | undefined;
  #ending: Promise<void> | undefined;
  #check: { readonly turn: TurnId; readonly isOutdated: Promise<boolean> } | undefined;

  constructor({ awake, folder, start }: SessionProcessParts, now: number) {
    this.awake = awake;
    this.folder = folder;
    this.idleSince = now;
    let onUsable = () => {};
    const taken = new Promise<void>((resolve) => {
      onUsable = resolve;
    });
    this.started = start(onUsable);
    this.usable = Promise.race([taken, this.started]);
    this.usable.catch(() => undefined);
  }

  get isEnding(): boolean {
    return this.#ending !== undefined;
  }

  keepCheck(turn: TurnId, isOutdated: Promise<boolean>): void {
    // If it fails, the turn learns that when it takes the check.
    isOutdated.catch(() => undefined);
    this.#check = { turn, isOutdated };
  }

  /** Whether the process is outdated, if that was checked for this turn. A check counts once. */
  takeCheck(turn: TurnId | undefined): Promise<boolean> | undefined {
    const check = this.#check;
    this.#check = undefined;
    return check?.turn === turn ? check?.isOutdated : undefined;
  }

  /** Calls back when it has been idle this long, unless it is used before. */
  restartIdleTimer(now: number, idleMs: number, onIdle: () => void): void {
    this.stopIdleTimer();
    this.idleSince = now;
    this.#idleTimer = setTimeout(onIdle, idleMs).unref();
  }

  stopIdleTimer(): void {
    clearTimeout(this.#idleTimer);
  }

  /** Resolves when the process has ended; it ends only once. */
  end(): Promise<void> {
    this.stopIdleTimer();
    this.#ending ??= this.started.then(() => this.awake.sleep()).catch(() => undefined);
    return this.#ending;
  }
}
