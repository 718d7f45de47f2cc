// The engine port: an engine answers prompts.
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

/** One turn, as the engine receives it. */
export interface EngineTurn {
  readonly id: TurnId;
  readonly session: Session;
  readonly prompt: Prompt;
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

export interface Engine {
  readonly name: EngineName;
  /**
   * Whether the gateway stores this engine's events. False for an engine with its own record: a reader that falls too
   * far behind is then cut off and starts again from that record.
   */
  readonly storesEvents: boolean;
  /** How many of its turns may run at once in all sessions; others stay queued. No limit if absent. */
  readonly maxTurns?: number;
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
  /**
   * Prepares the session for its first prompt, if that takes time. `publish` receives what happens outside of any turn,
   * until `unwatch` or until the next call replaces it.
   */
  wake?(session: Session, publish: (event: TurnEvent) => void): Promise<void>;
  /** Nobody watches the session any more: stop publishing what happens outside of turns. */
  unwatch?(id: SessionId): void;
  /** The available models; undefined until the engine knows them. Returns the same array until they change. */
  models?(): readonly CodeModel[] | undefined;
  /** Adds to the running turn. False if the engine cannot take it now: the prompt is then queued. */
  steer?(session: Session, prompt: Prompt): Promise<boolean>;
  /** Applies the changed settings, `chosen`, to what is awake. `session` has all of them. Rejects `invalid` values. */
  configure?(session: Session, chosen: Session['settings']): Promise<void>;
  /** The session is being deleted: ends everything of it that is awake. */
  release?(id: SessionId): Promise<void>;
  close(): Promise<void>;
}
