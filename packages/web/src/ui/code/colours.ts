// The colours of one block of code. The worker has one version of the block at a time; while it is busy newer ones
// wait, and the newest is next.
import type { ColouredLine, ColourReply, ColourRequest } from './colour-wire.ts';

/** More than anybody reads in colours. */
const mostLetters = 200_000;
const none: readonly ColouredLine[] = [];

export class Colours {
  readonly #block: number;
  readonly #language: string;
  readonly #listeners = new Set<() => void>();
  #lines: readonly ColouredLine[];
  /** What has these colours. */
  #coloured: string | undefined;
  #asked: Version | undefined;
  #wanted: Version | undefined;

  /** What was coloured before has its colours at once. */
  constructor(language: string, code: string) {
    blocks += 1;
    this.#block = blocks;
    this.#language = language;
    const lines = recent.get(keyOf(language, code));
    this.#lines = lines ?? none;
    this.#coloured = lines && code;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly lines = (): readonly ColouredLine[] => this.#lines;

  want(version: Version): void {
    if (this.#language === '' || version.code.length > mostLetters) return;
    if (version.code === this.#coloured) return;
    if (this.#asked) {
      this.#wanted = version;
      return;
    }
    this.#asked = version;
    ask({ block: this.#block, language: this.#language, code: version.code }, (reply) => this.#take(reply));
  }

  #take({ from, lines }: ColourReply): void {
    const version = this.#asked;
    if (!version) return;
    const next = this.#wanted;
    this.#asked = undefined;
    this.#wanted = undefined;
    this.#lines = [...this.#lines.slice(0, from), ...lines];
    this.#coloured = version.code;
    if (version.isComplete) keep(keyOf(this.#language, version.code), this.#lines);
    for (const listener of this.#listeners) listener();
    if (next) this.want(next);
  }
}

interface Version {
  readonly code: string;
  /** Nothing will be added to it. */
  readonly isComplete: boolean;
}

let blocks = 0;
let worker: Worker | undefined;
const answers = new Map<number, (reply: ColourReply) => void>();

/** Without a worker there is no answer: the code stays as it is. */
function ask(request: ColourRequest, answer: (reply: ColourReply) => void): void {
  answers.set(request.block, answer);
  worker ??= startWorker();
  worker.postMessage(request, { transfer: [] });
}

function startWorker(): Worker {
  const started = new Worker(new URL('./colour-worker.ts', import.meta.url), { type: 'module' });
  started.addEventListener('message', ({ data }: MessageEvent<ColourReply>) => {
    const answer = answers.get(data.block);
    answers.delete(data.block);
    answer?.(data);
  });
  return started;
}

/** Lists draw only what one sees: a block that comes back has the colours that it had. */
const recent = new Map<string, readonly ColouredLine[]>();
const mostRecentLetters = 400_000;
let recentLetters = 0;

function keep(key: string, lines: readonly ColouredLine[]): void {
  if (recent.has(key)) return;
  recent.set(key, lines);
  recentLetters += key.length;
  for (const eldest of recent.keys()) {
    if (recentLetters <= mostRecentLetters) break;
    recent.delete(eldest);
    recentLetters -= eldest.length;
  }
}

function keyOf(language: string, code: string): string {
  return `${language}\n${code}`;
}
