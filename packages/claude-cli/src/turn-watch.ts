// Follows the turns of a process. Closes its input after the last one, and notices when it hangs: a turn without
// output, or a process that does not exit after its work is done. Checks for output at intervals instead of reading a
// clock for every frame, so it notices silence up to a quarter late.

export interface TurnWatchOptions {
  readonly silentTurnMs: number;
  readonly exitMs: number;
  /** Called once, when no more input follows and no turn is left that could ask for permission. */
  readonly closeInput: () => void;
  readonly onSilent: () => void;
  readonly onNoExit: () => void;
  /** Silence does not count while a person decides or a reader holds the output back. */
  readonly isExcused: () => boolean;
}

const CHECKS = 4;
/** How long a waiting prompt has to start its turn. It may have become part of the turn that just ended. */
const NEXT_TURN_MS = 1_000;

export class TurnWatch {
  readonly #options: TurnWatchOptions;
  /** How many checks in a row saw no output. */
  #quietChecks = 0;
  #active = false;
  /** Prompts whose turn has not ended yet. */
  #unanswered = 0;
  #inputEnded = false;
  #inputIsClosed = false;
  #silence: NodeJS.Timeout | undefined;
  #exit: NodeJS.Timeout | undefined;

  constructor(options: TurnWatchOptions) {
    this.#options = options;
  }

  get turnIsActive(): boolean {
    return this.#active;
  }

  /** Called for every chunk: must be cheap. */
  outputSeen(): void {
    this.#quietChecks = -1;
  }

  promptSent(): void {
    this.#unanswered += 1;
    this.turnStarted();
  }

  turnStarted(): void {
    if (this.#active) return;
    this.#active = true;
    this.#quietChecks = 0;
    clearTimeout(this.#exit);
    clearInterval(this.#silence);
    this.#silence = setInterval(() => this.#check(), Math.ceil(this.#options.silentTurnMs / CHECKS));
  }

  turnEnded(): void {
    this.#active = false;
    this.#unanswered = Math.max(0, this.#unanswered - 1);
    clearInterval(this.#silence);
    this.#endIfDone();
  }

  inputEnded(): void {
    this.#inputEnded = true;
    this.#endIfDone();
  }

  close(): void {
    clearInterval(this.#silence);
    clearTimeout(this.#exit);
  }

  #check(): void {
    this.#quietChecks = this.#options.isExcused() ? 0 : this.#quietChecks + 1;
    if (this.#quietChecks < CHECKS) return;
    clearInterval(this.#silence);
    this.#options.onSilent();
  }

  #endIfDone(): void {
    if (!this.#inputEnded || this.#active) return;
    clearTimeout(this.#exit);
    if (this.#unanswered === 0 || this.#inputIsClosed) this.#expectExit();
    else this.#exit = setTimeout(() => this.#expectExit(), NEXT_TURN_MS);
  }

  #expectExit(): void {
    if (!this.#inputIsClosed) this.#options.closeInput();
    this.#inputIsClosed = true;
    this.#exit = setTimeout(() => this.#options.onNoExit(), this.#options.exitMs);
  }
}
