// The turn that an awake session works on: follows the program's frames until the program is done with it.
import type { ClaudeEvent, Session as ProgramSession } from '@parley/claude-cli';
import {
  type EngineEvent,
  type EngineFailure,
  meaningsOf,
  type ParleyError,
  type SessionEvent,
} from '@parley/protocol';
import type { EngineTurn } from '../../../domain/engine.ts';
import type { TranslatedFrame } from '../translation/frame-event.ts';
import { toFailure } from './failures.ts';
import { TurnFeed } from './turn-feed.ts';
import { TurnTracker } from './turn-tracker.ts';

/** An interrupted program gets this long to end its turn; then its process is killed. Shorter than the gateway's limit. */
export const interruptMs = 3_000;

/** What a frame means for the turn. */
interface Step {
  /** The frame, and why the turn failed, if it did. */
  readonly events: readonly EngineEvent[];
  readonly isOver: boolean;
  /** The program must restart before the next turn. */
  readonly needsRestart?: boolean;
  /** The program would keep trying for minutes without success. */
  readonly isHopeless?: boolean;
}

export class OpenTurn {
  readonly turn: EngineTurn;
  readonly feed = new TurnFeed();
  readonly tracker = new TurnTracker();
  /** Why a budget refused the program's last request. */
  refusal: ParleyError | undefined;
  /** The model has answered or called a tool. */
  #isAnswered = false;

  constructor(turn: EngineTurn) {
    this.turn = turn;
  }

  follow({ event, reported, failure }: TranslatedFrame): Step {
    if (this.feed.isEnded) return { events: [event], isOver: false };
    if (reported.some(isLoginRefused)) {
      return { events: [event, loginRefused], isOver: true, needsRestart: true, isHopeless: true };
    }
    this.#isAnswered ||= meaningsOf(event).some(isAnswer);
    const isOver = this.tracker.isOverAfter(reported);
    // The turn fails only if the failure ends it. If more follows, the failure is just in the frames.
    if (!isOver || !failure) return { events: [event], isOver };
    const reason = this.refusal ? toFailure(this.refusal) : failure;
    // The next process resumes before the prompt that failed, so that it isn't sent again.
    return { events: [event, reason], isOver, needsRestart: !this.#isAnswered };
  }

  /** Also cancels prompts that were added but that the program hasn't started on. */
  async interrupt(process: ProgramSession): Promise<void> {
    for (const uuid of this.tracker.waiting) {
      await process.request('cancel_async_message', { message_uuid: uuid }, { timeoutMs: interruptMs });
      this.tracker.forget(uuid);
    }
    await process.interrupt({ timeoutMs: interruptMs });
  }

  /** Call it when the process is gone. */
  cutOff(reason: unknown): void {
    if (this.feed.isEnded) return;
    if (!this.turn.signal.aborted) this.feed.push([toFailure(reason)]);
    this.feed.end();
  }
}

const loginRefused: EngineFailure = {
  type: 'failed',
  code: 'unavailable',
  message:
    'The Anthropic API does not accept the key or login of the claude program. Set ANTHROPIC_API_KEY to a valid key, or run `claude` in a terminal and log in.',
  recoverable: false,
};

function isAnswer(event: SessionEvent): boolean {
  if (event.type === 'message') return event.role === 'assistant';
  return event.type === 'text.delta' || event.type === 'tool.started';
}

function isLoginRefused(event: ClaudeEvent): boolean {
  return event.type === 'metadata' && event.kind === 'announcement' && event.code === 'login-refused';
}
