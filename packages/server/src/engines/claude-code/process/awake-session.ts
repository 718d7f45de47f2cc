// A session whose process is awake: passes prompts in, publishes frames as events, and asks for permissions. One turn at
// a time; what the program writes between turns goes to the caller that woke the session.
import {
  type ClaudeEvent,
  initialTranslationState,
  type LiveFrame,
  type PermissionHandler,
  type PermissionMode,
  type Session as ProgramSession,
  type TaskState,
} from '@parley/claude-cli';
import { type EngineEvent, ParleyError, type Prompt, type Todo, type TurnEvent } from '@parley/protocol';
import type { NewId } from '../../../domain/clock.ts';
import type { EngineTurn } from '../../../domain/engine.ts';
import { toFrameEvent } from '../translation/frame-event.ts';
import { toFailure } from './failures.ts';
import { toPermissionRequest, toProgramDecision, toUserContent } from './program-format.ts';
import type { CodeSettings } from './settings.ts';
import { TurnFeed } from './turn-feed.ts';
import { TurnTracker } from './turn-tracker.ts';
import type { Started } from './warm-processes.ts';

interface OpenTurn {
  readonly turn: EngineTurn;
  readonly feed: TurnFeed;
  readonly tracker: TurnTracker;
}

/** What an earlier process of the session left. */
interface Left {
  readonly spentUsd: number;
  readonly tasks?: TaskState;
}

export interface AwakeSessionSetup {
  readonly settings: CodeSettings;
  readonly newId: NewId;
  /** A turn started or ended, or the program changed a setting by itself. */
  readonly onChange: () => void;
  /** The process ended; with an error if nobody asked for that. */
  readonly onEnd: (error: Error | undefined) => void;
}

/** An interrupted program gets this long to end its turn; then its process is killed. Shorter than the gateway's limit. */
const interruptMs = 3_000;

const nobodyToAsk = 'Nobody can answer here. Continue without it, or tell the person what you need.';

export class AwakeSession {
  settings: CodeSettings;
  /** Nothing was said in it before this process. */
  isNew = false;
  /** Needs a restart before the next turn, because a setting changed that a running process cannot take. */
  isStale = false;
  publish: ((event: TurnEvent) => void) | undefined;
  /** The mode that the program is in. Approving a plan changes it too. */
  permissionMode: PermissionMode | undefined;
  readonly #setup: AwakeSessionSetup;
  #process: ProgramSession | undefined;
  #state = initialTranslationState;
  #open: OpenTurn | undefined;
  #questions = 0;
  #ended: Promise<void> = Promise.resolve();

  constructor(setup: AwakeSessionSetup) {
    this.#setup = setup;
    this.settings = setup.settings;
  }

  /** The process that was started for this session, and what it continues with. */
  use({ process, early }: Started, { spentUsd, tasks }: Left): void {
    this.#process = process;
    this.#state = { ...initialTranslationState, totalCostUsd: spentUsd, ...(tasks && { tasks }) };
    this.#ended = new Promise((resolve) => {
      for (const frame of early()) void this.#take(frame);
      process.onFrame(
        (frame) => this.#take(frame),
        () => {
          this.#over(process.status().error);
          resolve();
        },
      );
    });
  }

  get isBusy(): boolean {
    return this.#open !== undefined || this.#process?.status().turnIsActive === true;
  }

  /** Whether somebody has to decide something. */
  get isWaiting(): boolean {
    return this.#questions > 0;
  }

  get totalCostUsd(): number {
    return this.#state.totalCostUsd;
  }

  /** The program's task list. */
  get todos(): readonly Todo[] {
    return this.#state.tasks.list;
  }

  get process(): ProgramSession {
    if (!this.#process) throw new ParleyError('conflict', 'The session is not awake yet.');
    return this.#process;
  }

  async *run(turn: EngineTurn): AsyncGenerator<EngineEvent, void, undefined> {
    const open: OpenTurn = { turn, feed: new TurnFeed(), tracker: new TurnTracker() };
    // A program that works on something by itself sends a `result` before it gets to this prompt.
    if (this.process.status().turnIsActive) open.tracker.expect(turn.id);
    this.#open = open;
    this.#setup.onChange();
    let killing: NodeJS.Timeout | undefined;
    const onAbort = () => {
      killing = setTimeout(() => void this.kill(), interruptMs);
      void this.#interrupt(open);
    };
    turn.signal.addEventListener('abort', onAbort, { once: true });
    if (turn.signal.aborted) onAbort();
    try {
      if (!turn.signal.aborted) await turn.saveStart();
      // A prompt that has not left need not be stopped; one that left now would be wasted work.
      if (turn.signal.aborted) open.feed.end();
      else await this.process.sendInput({ content: toUserContent(turn.prompt), uuid: turn.id });
      yield* open.feed;
    } catch (thrown) {
      yield toFailure(thrown);
    } finally {
      clearTimeout(killing);
      turn.signal.removeEventListener('abort', onAbort);
      // A reader that stopped early has given up the turn: its process must not continue with it.
      if (!open.feed.isEnded) void this.kill();
      this.#open = undefined;
      this.#publishOutside(open.feed.close());
      this.#setup.onChange();
    }
  }

  /** False if the turn is about to end. */
  async steer(prompt: Prompt): Promise<boolean> {
    const open = this.#open;
    if (!open || open.feed.isEnded || open.turn.signal.aborted) return false;
    const uuid = this.#setup.newId();
    open.tracker.expect(uuid);
    try {
      await this.process.sendInput({ content: toUserContent(prompt), uuid });
      return true;
    } catch {
      open.tracker.forget(uuid);
      return false;
    }
  }

  /** Answers the program's questions by asking the readers of the turn. Between turns there is nobody to ask. */
  readonly onPermission: PermissionHandler = async (asked, { signal }) => {
    const open = this.#open;
    if (!open || open.turn.canAsk === false) return { behavior: 'deny', message: nobodyToAsk };
    this.#questions += 1;
    try {
      // Readers see what the program wrote before its question first.
      await open.feed.readUp();
      return toProgramDecision(await open.turn.askPermission(toPermissionRequest(asked), signal));
    } finally {
      this.#questions -= 1;
    }
  };

  /** Ends the process cleanly: the next prompt resumes the session. */
  async sleep(): Promise<void> {
    await this.#process?.[Symbol.asyncDispose]();
    await this.#ended;
  }

  async kill(): Promise<void> {
    await this.#process?.kill().catch(() => undefined);
    await this.#ended;
  }

  #over(error: Error | undefined): void {
    this.#endTurn(error);
    this.#setup.onEnd(error);
  }

  /** The returned promise holds the program back until its readers have caught up. */
  #take({ frame }: LiveFrame): Promise<void> | undefined {
    if (!frame) return undefined;
    const { event, reported, failure, state } = toFrameEvent(frame, this.#state);
    this.#state = state;
    this.#followMode(reported);
    const open = this.#open;
    const isOver = open !== undefined && !open.feed.isEnded && open.tracker.isOverAfter(reported);
    // A failure ends a turn, so one that is followed by more is left to the frames.
    const events = isOver && failure ? [event, failure] : [event];
    if (!open?.feed.push(events)) this.#publishOutside(events);
    if (isOver) open.feed.end();
    return open?.feed.room();
  }

  /** What belongs to no turn goes to the caller that woke the session. */
  #publishOutside(events: readonly EngineEvent[]): void {
    for (const event of events) if (event.type !== 'failed') this.publish?.(event);
  }

  #followMode(reported: readonly ClaudeEvent[]): void {
    for (const event of reported) {
      if (event.type !== 'metadata' || (event.kind !== 'session' && event.kind !== 'settings')) continue;
      if (event.permissionMode !== undefined) this.permissionMode = event.permissionMode as PermissionMode;
    }
  }

  /** Also cancels prompts that were added and not taken up. */
  async #interrupt({ tracker }: OpenTurn): Promise<void> {
    try {
      for (const uuid of tracker.waiting) {
        await this.process.request(
          'cancel_async_message',
          { message_uuid: uuid },
          { timeoutMs: interruptMs },
        );
        tracker.forget(uuid);
      }
      await this.process.interrupt({ timeoutMs: interruptMs });
    } catch {
      // It does not respond: it is killed after its grace time.
    }
  }

  #endTurn(error: Error | undefined): void {
    const open = this.#open;
    if (!open || open.feed.isEnded) return;
    const stopped = new ParleyError('unavailable', 'The program was stopped in the middle of the turn.');
    if (!open.turn.signal.aborted) open.feed.push([toFailure(error ?? stopped)]);
    open.feed.end();
  }
}
