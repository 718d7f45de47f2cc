// Notices a process that hangs: a turn without a sign of life, or a process that lives on although its work is
// done and its input closed. Looks at the clock now and then instead of setting a timer for every frame.

export interface TurnWatchOptions {
  readonly silentTurnMs: number;
  readonly exitMs: number;
  readonly onSilent: () => void;
  readonly onNoExit: () => void;
  /** Silence is not the program's fault while a person decides or a reader holds the output back. */
  readonly isExcused: () => boolean;
}

export class TurnWatch {
  readonly #options: TurnWatchOptions;
  #heardAt = 0;
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
    this.#heardAt = performance.now();
  }

  turnBegan(): void {
    if (this.#active) return;
    this.#active = true;
    this.heard();
    clearTimeout(this.#exit);
    this.#watchSilence(this.#options.silentTurnMs);
  }

  turnEnded(): void {
    this.#active = false;
    clearTimeout(this.#silence);
    this.#expectExit();
  }

  inputEnded(): void {
    this.#inputEnded = true;
    this.#expectExit();
  }

  close(): void {
    clearTimeout(this.#silence);
    clearTimeout(this.#exit);
  }

  #watchSilence(delayMs: number): void {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => {
      if (this.#options.isExcused()) this.heard();
      const left = this.#heardAt + this.#options.silentTurnMs - performance.now();
      if (left > 0) this.#watchSilence(left);
      else this.#options.onSilent();
    }, delayMs);
  }

  #expectExit(): void {
    if (!this.#inputEnded || this.#active) return;
    clearTimeout(this.#exit);
    this.#exit = setTimeout(() => this.#options.onNoExit(), this.#options.exitMs);
  }
}
