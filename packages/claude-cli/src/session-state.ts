// The states of a session and the transitions between them. Every change goes through here, so an illegal one throws.
import { ClaudeCliError } from './errors.ts';

export type SessionState = 'created' | 'starting' | 'running' | 'paused' | 'stopping' | 'stopped' | 'error';

export interface SessionStatus {
  readonly state: SessionState;
  readonly sessionId: string;
  readonly pid: number | undefined;
  readonly turnIsActive: boolean;
  readonly waitingInputs: number;
  readonly error: ClaudeCliError | undefined;
}

const legalMoves: Readonly<Record<SessionState, readonly SessionState[]>> = {
  created: ['starting'],
  starting: ['running', 'stopping', 'error'],
  running: ['paused', 'stopping', 'stopped', 'error'],
  paused: ['running', 'stopping', 'stopped', 'error'],
  stopping: ['stopped', 'error'],
  stopped: ['starting'],
  error: ['starting'],
};

export type StateListener = (from: SessionState, to: SessionState, reason: string | undefined) => void;

export class StateMachine {
  #state: SessionState = 'created';
  readonly #onMove: StateListener;

  constructor(onMove: StateListener) {
    this.#onMove = onMove;
  }

  get state(): SessionState {
    return this.#state;
  }

  is(...states: readonly SessionState[]): boolean {
    return states.includes(this.#state);
  }

  move(to: SessionState, reason?: string): void {
    const from = this.#state;
    if (!legalMoves[from].includes(to)) {
      throw new ClaudeCliError('illegal_move', `A session cannot go from ${from} to ${to}.`);
    }
    this.#state = to;
    this.#onMove(from, to, reason);
  }

  /** Throws if the current state does not allow a call. */
  require(call: string, ...allowed: readonly SessionState[]): void {
    if (allowed.includes(this.#state)) return;
    const states =
      allowed.length === 1 ? allowed[0] : `${allowed.slice(0, -1).join(', ')} or ${allowed.at(-1)}`;
    throw new ClaudeCliError(
      'illegal_move',
      `${call}() needs a session that is ${states}, but this one is ${this.#state}.`,
    );
  }
}
