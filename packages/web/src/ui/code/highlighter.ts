// Highlights one block of code. The worker gets one version of the block at a time; while it is busy only the newest
// version waits.

import { type Observable, ObservableValue } from '@parley/client';
import { BoundedMap } from '../../bounded-map.ts';
import type { HighlightedLine, HighlightReply, HighlightRequest } from './highlight-wire.ts';

/** Longer code stays plain. */
const maxCharacters = 200_000;
const none: readonly HighlightedLine[] = [];

export class BlockHighlighter {
  readonly #block: number;
  readonly #language: string;
  readonly #lines: ObservableValue<readonly HighlightedLine[]>;
  /** The code that `#lines` belong to. */
  #highlighted: string | undefined;
  #asked: Version | undefined;
  #wanted: Version | undefined;

  /** Code that was highlighted recently is highlighted at once. */
  constructor(language: string, code: string) {
    blocks += 1;
    this.#block = blocks;
    this.#language = language;
    const lines = recent.get(keyOf(language, code));
    this.#lines = new ObservableValue(lines ?? none);
    this.#highlighted = lines && code;
  }

  get lines(): Observable<readonly HighlightedLine[]> {
    return this.#lines;
  }

  want(version: Version): void {
    if (this.#language === '' || version.code.length > maxCharacters) return;
    if (version.code === this.#highlighted) return;
    if (this.#asked) {
      this.#wanted = version;
      return;
    }
    this.#asked = version;
    ask({ block: this.#block, language: this.#language, code: version.code }, (reply) => this.#take(reply));
  }

  #take({ from, lines }: HighlightReply): void {
    const version = this.#asked;
    if (!version) return;
    const next = this.#wanted;
    this.#asked = undefined;
    this.#wanted = undefined;
    const all = [...this.#lines.snapshot().slice(0, from), ...lines];
    this.#highlighted = version.code;
    if (version.isComplete) recent.set(keyOf(this.#language, version.code), all);
    this.#lines.set(all);
    if (next) this.want(next);
  }
}

interface Version {
  readonly code: string;
  /** Nothing more will be added. */
  readonly isComplete: boolean;
}

let blocks = 0;
let worker: Worker | undefined;
const answers = new Map<number, (reply: HighlightReply) => void>();

/** Without a worker there is no answer, and the code stays plain. */
function ask(request: HighlightRequest, answer: (reply: HighlightReply) => void): void {
  answers.set(request.block, answer);
  worker ??= startWorker();
  worker.postMessage(request, { transfer: [] });
}

function startWorker(): Worker {
  const started = new Worker(new URL('./highlight-worker.ts', import.meta.url), { type: 'module' });
  started.addEventListener('message', ({ data }: MessageEvent<HighlightReply>) => {
    const answer = answers.get(data.block);
    answers.delete(data.block);
    answer?.(data);
  });
  return started;
}

/** Lists render only what is visible: a block that scrolls back into view is highlighted at once. */
const maxRemembered = 400_000;
const recent = new BoundedMap<string, readonly HighlightedLine[]>(maxRemembered, (key) => key.length);

function keyOf(language: string, code: string): string {
  return `${language}\n${code}`;
}
