// Follows the turns of a process. Closes its input after the last one, and notices when it hangs: a turn without a sign
// of life, or a process that lives on although its work is done and its input closed. Looks now and then whether
// anything was heard, instead of touching a clock for every frame; so silence is noticed up to a quarter late.

export interface TurnWatchOptions {
  readonly silentTurnMs: number;
  readonly exitMs: number;
  /** Called once, when no more input comes and no turn is left that could ask for a permission. */
  readonly closeInput: () => void;
  readonly onSilent: () => void;
  readonly onNoExit: () => void;
  /** Silence is not the program's fault while a person decides or a reader holds the output back. */
  readonly isExcused: () => boolean;
}

const LOOKS = 4;
/** For the next turn to begin where a prompt waits. It may have become part of the turn that is over. */
const NEXT_TURN_MS = 1_000;

export class TurnWatch {
  readonly #options: TurnWatchOptions;
  /** How often in a row nothing had been heard. */
  #quietLooks = 0;
  #active = false;
  /** Prompts that no end of a turn has answered so far. */
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

  /** Called for every chunk: must cost nothing. */
  heard(): void {
    this.#quietLooks = -1;
  }

  prompted(): void {
    this.#unanswered += 1;
    this.turnBegan();
  }

  turnBegan(): void {
    if (this.#active) return;
    this.#active = true;
    this.#quietLooks = 0;
    clearTimeout(this.#exit);
    clearInterval(this.#silence);
    this.#silence = setInterval(() => this.#look(), Math.ceil(this.#options.silentTurnMs / LOOKS));
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

  #look(): void {
    this.#quietLooks = this.#options.isExcused() ? 0 : this.#quietLooks + 1;
    if (this.#quietLooks < LOOKS) return;
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
