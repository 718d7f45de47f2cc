// Notices a process that hangs: a turn without a sign of life, or a process that lives on although its work is
// done and its input closed. Looks now and then whether anything was heard, instead of touching a clock for every
// frame; so silence is noticed up to a quarter late.

export interface TurnWatchOptions {
  readonly silentTurnMs: number;
  readonly exitMs: number;
  readonly onSilent: () => void;
  readonly onNoExit: () => void;
  /** Silence is not the program's fault while a person decides or a reader holds the output back. */
  readonly isExcused: () => boolean;
}

const LOOKS = 4;

export class TurnWatch {
  readonly #options: TurnWatchOptions;
  /** How often in a row nothing had been heard. */
  #quietLooks = 0;
  #active = false;
  #inputEnded = false;
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
    clearInterval(this.#silence);
    this.#expectExit();
  }

  inputEnded(): void {
    this.#inputEnded = true;
    this.#expectExit();
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

  #expectExit(): void {
    if (!this.#inputEnded || this.#active) return;
    clearTimeout(this.#exit);
    this.#exit = setTimeout(() => this.#options.onNoExit(), this.#options.exitMs);
  }
}
