// The engine port: an engine answers prompts.
import type {
  CodeModel,
  ContextUse,
  Decision,
  EngineEvent,
  EngineFailure,
  EngineName,
  Message,
  ParleyError,
  PermissionRequest,
  Prompt,
  Session,
  SessionId,
  TurnEvent,
  TurnId,
} from '@parley/protocol';
import type { RecentMessages } from './store.ts';

/** One turn, as the engine receives it. */
export interface EngineTurn {
  readonly id: TurnId;
  readonly session: Session;
  readonly prompt: Prompt;
  /** Where the prompt came from, for the usage book. */
  readonly door?: string;
  /** Aborts when the person interrupts the turn or the server stops. */
  readonly signal: AbortSignal;
  /** False if nobody can answer while the turn runs; a permission then stays open until the turn ends. */
  readonly canAsk?: boolean;
  /**
   * Saves the turn start; call it before the prompt leaves for a place that it cannot be withdrawn from. After a crash, a
   * turn without a saved start runs again, and one with it counts as interrupted. Not needed if the engine was ready.
   */
  saveStart(): Promise<void>;
  /** The stored messages of this session's earlier turns, as `Store.recentMessages` returns them. */
  history(isWanted: (turn: readonly Message[]) => boolean): Promise<RecentMessages>;
  /** Blocks until somebody decides; denies if `signal` or the turn's signal aborts first. Never rejects. */
  askPermission(request: PermissionRequest, signal?: AbortSignal): Promise<Decision>;
}

/** The end of a turn that failed. `recoverable`: whether the same prompt may work when sent again. */
export function failedBecause(error: ParleyError, recoverable: boolean): EngineFailure {
  const { code, message, retryAfterSeconds } = error;
  const wait = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  return { type: 'failed', code, message, recoverable, ...wait };
}

/** A slot is for one turn, or for something else that works in its place, such as a terminal. */
export interface TurnSlots {
  readonly count: number;
  /** False when none is free. */
  tryTake(group: string): boolean;
  /** False when the signal aborts first. Groups get their slots in a fair order; a turn that returns goes first. */
  take(wait: {
    readonly group: string;
    readonly signal: AbortSignal;
    readonly isReturning?: boolean;
    /** Called with the number of turns ahead, whenever it changes. */
    readonly onAhead?: (ahead: number) => void;
  }): Promise<boolean>;
  release(group: string): void;
}

export interface EngineBranch {
  readonly from: Session;
  readonly to: SessionId;
  readonly before: TurnId;
  /** The prompt was sent through the gateway, so it is one even if the engine has no record of it. */
  readonly isTurn: boolean;
}

export interface BranchStart {
  readonly shared: readonly TurnId[];
  /** The settings that the new session inherits. */
  readonly settings: Session['settings'];
}

export interface Engine {
  readonly name: EngineName;
  /**
   * Whether the gateway stores this engine's events. False for an engine with its own record: a reader that falls too
   * far behind is then cut off and starts again from that record.
   */
  readonly storesEvents: boolean;
  /** Limits how many turns run at once, in all sessions; the others stay queued. No limit if absent. */
  readonly slots?: TurnSlots;
  /** Throws, with a sentence, if it can't answer the prompt, for example because it can't read a file. */
  check?(prompt: Prompt): void;
  /**
   * Runs one turn. A failure is a `failed` event, after which the iteration ends. The gateway requests the next event
   * only after it has stored the last one, so a tool runs only after its `tool.started` was stored.
   */
  run(turn: EngineTurn): AsyncIterable<EngineEvent>;
  /**
   * Whether it would send a prompt at once. If not, for example because its program still has to start, it calls
   * `saveStart` later. An engine without this method is always ready.
   */
  isReady?(id: SessionId): boolean;
  /** This turn is being stored and runs next. Meanwhile, the engine can check what it has to check before the turn. */
  expect?(session: Session, turn: TurnId): void;
  /**
   * Prepares the session for its first prompt, if that takes time. `publish` receives what happens outside of any turn,
   * until `unwatch` or until the next call replaces it.
   */
  wake?(session: Session, publish: (event: TurnEvent) => void): Promise<void>;
  /** Nobody watches the session now: stop publishing what happens outside of turns. */
  unwatch?(id: SessionId): void;
  /** The available models; undefined until the engine knows them. Returns the same array until they change. */
  models?(): readonly CodeModel[] | undefined;
  /** Adds to the running turn. False if the engine cannot take it now: the prompt is then queued. */
  steer?(session: Session, prompt: Prompt): Promise<boolean>;
  /** Applies the changed settings, `chosen`, to what is awake. `session` has all of them. Rejects `invalid` values. */
  configure?(session: Session, chosen: Session['settings']): Promise<void>;
  /**
   * Prepares a session without turns to begin with everything in `from` before the prompt, and returns the ids of the
   * prompts that both have, oldest first. `not_found` if there is no such prompt. For an engine with its own record.
   */
  branch?(branch: EngineBranch): Promise<BranchStart>;
  /** What fills the context of the model; undefined if it can't say now. Reads the history as a turn does. */
  context?(session: Session, history: EngineTurn['history']): Promise<ContextUse | undefined>;
  /** The session is being deleted: ends whatever of it is awake. */
  release?(id: SessionId): Promise<void>;
  close(): Promise<void>;
}
