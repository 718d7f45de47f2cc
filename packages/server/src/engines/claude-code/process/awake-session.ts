// A session whose process is awake: passes prompts in, publishes frames as events, and asks for permissions. One turn at
// a time; what the program writes between turns goes to the caller that woke the session.
import {
  type ClaudeEvent,
  initialTranslationState,
  type LiveFrame,
  type PermissionHandler,
  type PermissionMode,
  type Session as ProgramSession,
  readCommands,
  type TaskState,
  type TranslationState,
} from '@parley/claude-cli';
import {
  type EngineEvent,
  meaningsOf,
  ParleyError,
  type PermissionRule,
  type Prompt,
  suggestedRules,
  type Todo,
  type TurnEvent,
} from '@parley/protocol';
import { budgetNotice, type Payer } from '../../../domain/budgets.ts';
import type { NewId } from '../../../domain/clock.ts';
import type { EngineTurn } from '../../../domain/engine.ts';
import type { Used } from '../../../domain/spending.ts';
import type { ChargedTo } from '../relay/key-relay.ts';
import { toFrameEvent } from '../translation/frame-event.ts';
import { toFailure } from './failures.ts';
import { interruptMs, OpenTurn } from './open-turn.ts';
import { toPermissionRequest, toProgramDecision, toUserContent } from './program-format.ts';
import type { CodeSettings } from './settings.ts';
import type { Started } from './warm-processes.ts';

/** What an earlier process of the session left behind. */
interface Left {
  readonly spentUsd: number;
  readonly tasks?: TaskState;
}

export interface AwakeSessionSetup {
  readonly payer: Payer;
  /** Books the usage that the program reports. Absent if the relay books it. */
  readonly book?: (used: Used) => Promise<readonly string[]>;
  readonly settings: CodeSettings;
  readonly newId: NewId;
  /** Called when a turn starts or ends. */
  readonly onChange: () => void;
  /** Called when the process ends; with an error if nobody asked for that. */
  readonly onEnd: (error: Error | undefined) => void;
}

/** Older rules are dropped, and the program asks again. */
const maxRules = 100;

const nobodyToAsk = 'Nobody can answer here. Continue without it, or tell the person what you need.';

export class AwakeSession {
  settings: CodeSettings;
  /** The session had no messages before this process. */
  isNew = false;
  /** Needs a restart before the next turn, for example because a running process can't apply a changed setting. */
  isStale = false;
  /** Can't run turns, because it would send a failed prompt again. */
  isViewOnly = false;
  publish: ((event: TurnEvent) => void) | undefined;
  /** Turns the error of the process into one that people understand. */
  explain: (error: unknown) => unknown = (error) => error;
  /** The mode that the program is in. Approving a plan changes it too. */
  permissionMode: PermissionMode | undefined;
  /** What a person has allowed for the session in addition to whole tools. */
  rules: readonly PermissionRule[] = [];
  readonly #setup: AwakeSessionSetup;
  #process: ProgramSession | undefined;
  #ready: Promise<void> = Promise.resolve();
  #state = initialTranslationState;
  #open: OpenTurn | undefined;
  #questions = 0;
  #ended: Promise<void> = Promise.resolve();

  constructor(setup: AwakeSessionSetup) {
    this.#setup = setup;
    this.settings = setup.settings;
  }

  /** Takes over the process that was started for this session. It may not be ready yet. */
  use({ process, early, ready }: Started, { spentUsd, tasks }: Left): void {
    this.#process = process;
    this.#ready = ready;
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

  /** Whether a permission waits for a decision. */
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
    const open = new OpenTurn(turn);
    // A program that already works on something of its own sends a `result` before it gets to this prompt.
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
      // A prompt that hasn't been sent doesn't have to be stopped, and sending it now would waste work.
      if (turn.signal.aborted) open.feed.end();
      else await this.process.sendInput({ content: toUserContent(turn.prompt), uuid: turn.id });
      yield* open.feed;
    } catch (thrown) {
      yield toFailure(this.explain(thrown));
    } finally {
      clearTimeout(killing);
      turn.signal.removeEventListener('abort', onAbort);
      // If the reader left early, the turn is given up, and its process must not continue with it.
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

  /** Who pays for the program's requests. */
  get chargedTo(): ChargedTo {
    return { payer: this.#setup.payer, door: this.#open?.turn.door ?? '' };
  }

  /** Call it when a budget is used up. The program then ends its turn with its own message. */
  refuse(reason: ParleyError): void {
    if (this.#open) this.#open.refusal = reason;
  }

  warn(warnings: readonly string[]): void {
    const notices = warnings.map(budgetNotice);
    if (!this.#open?.feed.push(notices)) this.#publishOutside(notices);
  }

  /** Answers the program's questions by asking the readers of the turn. Between turns there is nobody to ask. */
  readonly onPermission: PermissionHandler = async (asked, { signal }) => {
    const open = this.#open;
    if (!open || open.turn.canAsk === false) return { behavior: 'deny', message: nobodyToAsk };
    this.#questions += 1;
    try {
      // Readers first see what the program wrote before its question.
      await open.feed.caughtUp();
      const request = toPermissionRequest(asked);
      const decision = toProgramDecision(await open.turn.askPermission(request, signal), request);
      if ('updatedPermissions' in decision)
        this.rules = [...this.rules, ...suggestedRules(request)].slice(-maxRules);
      return decision;
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
    const stopped = new ParleyError('unavailable', 'The program was stopped in the middle of the turn.');
    this.#open?.cutOff(this.explain(error ?? stopped));
    this.#setup.onEnd(error);
  }

  /** The program describes its commands only in its introduction, which may come after the first frame. */
  #withCommands(): TranslationState {
    const { commands } = this.#state;
    if (commands.some(({ description }) => description !== undefined)) return this.#state;
    const described = readCommands(this.#process?.introduction?.['commands']);
    return described ? { ...this.#state, commands: described } : this.#state;
  }

  /** The returned promise holds the program back until its readers have caught up. */
  #take({ frame }: LiveFrame): Promise<void> | undefined {
    if (!frame) return undefined;
    const translated = toFrameEvent(frame, this.#withCommands());
    this.#state = translated.state;
    this.#followMode(translated.reported);
    const open = this.#open;
    const { event } = translated;
    const step = open?.follow(translated) ?? { events: [event], isOver: false };
    this.isStale ||= step.needsRestart === true;
    this.#book(event);
    if (!open?.feed.push(step.events)) this.#publishOutside(step.events);
    if (step.isOver) open?.feed.end();
    if (step.isHopeless) void this.kill();
    return open?.feed.room();
  }

  #book(event: TurnEvent): void {
    const { book } = this.#setup;
    if (!book) return;
    for (const meaning of meaningsOf(event)) {
      if (meaning.type !== 'usage') continue;
      const { model, usage } = meaning;
      const used = { engine: 'claude-code', door: this.chargedTo.door, model, usage } as const;
      void book(used).then((warnings) => this.warn(warnings));
    }
  }

  /** Events outside of turns go to the caller that woke the session. */
  #publishOutside(events: readonly EngineEvent[]): void {
    for (const event of events) if (event.type !== 'failed') this.publish?.(event);
  }

  #followMode(reported: readonly ClaudeEvent[]): void {
    for (const event of reported) {
      if (event.type !== 'metadata' || (event.kind !== 'session' && event.kind !== 'settings')) continue;
      if (event.permissionMode !== undefined) this.permissionMode = event.permissionMode as PermissionMode;
    }
  }

  async #interrupt(open: OpenTurn): Promise<void> {
    try {
      await this.#ready;
      await open.interrupt(this.process);
    } catch {
      // The program doesn't respond, so it is killed after `interruptMs`.
    }
  }
}
