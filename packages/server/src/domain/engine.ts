// The port of an engine: what answers a prompt.
import type {
  CodeModel,
  Decision,
  EngineEvent,
  EngineName,
  Message,
  PermissionRequest,
  Prompt,
  Session,
  SessionId,
  TurnEvent,
  TurnId,
} from '@parley/protocol';
import type { RecentMessages } from './store.ts';

/** One turn, as the engine gets it. */
export interface EngineTurn {
  readonly id: TurnId;
  readonly session: Session;
  readonly prompt: Prompt;
  /** Aborted when the person interrupts, or the server closes. */
  readonly signal: AbortSignal;
  /** False where nobody can answer while the turn runs; a permission asked for then waits until the turn ends. */
  readonly canAsk?: boolean;
  /**
   * Resolves when it is kept that the prompt is about to leave for where it cannot be taken back from. A turn that a
   * crash finds before that runs again; after it, it was interrupted. Never needed where the engine was ready.
   */
  begin(): Promise<void>;
  /** The kept messages of the earlier turns of this session, as `Store.recentMessages` gives them. */
  history(isWanted: (turn: readonly Message[]) => boolean): Promise<RecentMessages>;
  /**
   * Blocks until somebody decides; denies when `signal` (or that of the turn) aborts first.
   * Never rejects.
   */
  askPermission(request: PermissionRequest, signal?: AbortSignal): Promise<Decision>;
}

export interface Engine {
  readonly name: EngineName;
  /**
   * Whether the gateway keeps this engine's events in the store. An engine that has a record of its
   * own says no; a reader who falls too far behind is then cut off and starts again from that record.
   */
  readonly keepsEvents: boolean;
  /** How many of its turns may run at once, over all sessions; more wait in their queues. Without it, any number. */
  readonly mostTurns?: number;
  /**
   * Runs one turn. A failure is a `failed` event, after which the iteration ends. The gateway asks for
   * the next event only when the last one is safe, so what follows a `tool.started` happens after it was kept.
   */
  run(turn: EngineTurn): AsyncIterable<EngineEvent>;
  /**
   * Whether a prompt would leave at once. One that says no, as while its program is not up, calls `begin` in time.
   * An engine without this is always ready.
   */
  isReady?(id: SessionId): boolean;
  /**
   * Makes the session ready ahead of its first prompt, where that takes time. `publish` takes what happens
   * outside of any turn, until `unwatch`, or until the next call hands over another one.
   */
  wake?(session: Session, publish: (event: TurnEvent) => void): Promise<void>;
  /** Nobody watches the session any more: what happens outside of turns need not be told. */
  unwatch?(id: SessionId): void;
  /** The models that a session can choose from; undefined until the engine knows them. The same list unless it changed. */
  models?(): readonly CodeModel[] | undefined;
  /** Adds to the running turn. False when the engine cannot take it now: the prompt then waits its turn. */
  steer?(session: Session, prompt: Prompt): Promise<boolean>;
  /**
   * Settings of the session were chosen, `chosen` among all that it has now: applies them to what is awake.
   * Rejects with `invalid` for a bad value.
   */
  configure?(session: Session, chosen: Session['settings']): Promise<void>;
  /** The session is being deleted: ends what is awake of it. */
  release?(id: SessionId): Promise<void>;
  close(): Promise<void>;
}
