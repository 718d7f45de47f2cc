// Adds up what a terminal uses. No turn reports it, so it is recorded once the program has been quiet for a while: about
// once for each prompt, like a turn.
import { addUsage, noUsage, type Usage } from '@parley/protocol';

const quietMs = 5_000;

export class TerminalUsage {
  readonly #record: (model: string, usage: Usage) => void;
  #model = '';
  #sum = noUsage;
  #quiet: NodeJS.Timeout | undefined;

  constructor(record: (model: string, usage: Usage) => void) {
    this.#record = record;
  }

  add(model: string, usage: Usage): void {
    // One entry has one model. The program also asks a small one, for example for a title.
    if (model !== this.#model && this.#sum !== noUsage) this.flush();
    this.#model = model;
    this.#sum = addUsage(this.#sum, usage);
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => this.flush(), quietMs).unref();
  }

  flush(): void {
    clearTimeout(this.#quiet);
    if (this.#sum !== noUsage) this.#record(this.#model, this.#sum);
    this.#sum = noUsage;
  }
}
