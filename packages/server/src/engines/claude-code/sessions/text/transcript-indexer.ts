// Keeps the full-text index of one home up to date: one part of one transcript at a time, newest first. Every part is
// stored together with how far it goes, so a restart continues there and reads only what was added.
import type { SessionFile } from '@parley/claude-cli';
import { pause } from '../../../../basics/backoff.ts';
import { BoundedMap } from '../../../../basics/bounded-map.ts';
import type { Logger } from '../../../../domain/logger.ts';
import { systemTimers } from '../../../../domain/timers.ts';
import type { TranscriptMark, TranscriptText } from '../../../../domain/transcript-text.ts';
import { type PassageReader, startOfFile } from './passage-reader.ts';

/** How many characters to index per session and per home. If a home has more, its newest sessions are indexed. */
export interface TextLimits {
  readonly perSession: number;
  readonly perHome: number;
}

export interface IndexerOptions {
  readonly home: string;
  /** All transcripts of the home, newest first. */
  readonly files: (signal?: AbortSignal) => Promise<readonly SessionFile[]>;
  readonly text: TranscriptText;
  readonly reader: PassageReader;
  readonly logger: Logger;
  readonly limits?: TextLimits;
}

const defaults: TextLimits = { perSession: 4 * 1024 ** 2, perHome: 256 * 1024 ** 2 };
/** How often it looks for changes. A search also looks for them first. */
const everyMs = 30_000;
/** The first pause, because people who have just opened a list want to see it. */
const firstMs = 2_000;
/** The pause after a step, as a multiple of the time that the step took, because the machine has other things to do. */
const rest = 1;
/** A search waits this long for what was said a moment ago, if that is not more than this. */
const maxCatchUpMs = 2_000;
const maxCatchUpBytes = 4 * 1024 ** 2;
const maxUnreadable = 1_000;

export class TranscriptIndexer {
  readonly #options: IndexerOptions;
  readonly #limits: TextLimits;
  readonly #stop = new AbortController();
  readonly #background: Promise<void>;
  /** Transcripts that could not be read, with the size that they had. They are skipped until it changes. */
  readonly #unreadable = new BoundedMap<string, number>(maxUnreadable);
  #marks: Promise<Map<string, TranscriptMark>> | undefined;
  #step: Promise<boolean> | undefined;

  constructor(options: IndexerOptions) {
    this.#options = options;
    this.#limits = options.limits ?? defaults;
    this.#background = this.#run();
  }

  /** Indexes what changed a moment ago. False if older sessions are still missing. */
  async catchUp(signal: AbortSignal | undefined): Promise<boolean> {
    const until = performance.now() + maxCatchUpMs;
    for (;;) {
      signal?.throwIfAborted();
      const { gone, pending } = await this.#todo(signal);
      if (gone.length === 0 && pending.length === 0) return true;
      const missing = pending.reduce((sum, { bytes }) => sum + bytes, 0);
      if (missing > maxCatchUpBytes || performance.now() > until) return false;
      // What is left is more than the index may contain.
      if (!(await this.#next())) return true;
    }
  }

  /** Call it when a session is deleted. */
  async forget(file: string): Promise<void> {
    // A step that has just read the file would add it again.
    await this.#step?.catch(() => undefined);
    await this.#remove([file], await this.#known());
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#background;
    await this.#step?.catch(() => undefined);
  }

  async #run(): Promise<void> {
    let pauseMs = firstMs;
    while (await pause(pauseMs, this.#stop.signal, systemTimers)) {
      let took = performance.now();
      const isMore = await this.#next().catch((error: unknown) => {
        this.#options.logger.warn({ err: error }, 'the index of transcripts could not be updated');
        return false;
      });
      took = performance.now() - took;
      pauseMs = isMore ? took * rest : everyMs;
    }
  }

  /** Shared by the background and searches, so that there is one step at a time. */
  #next(): Promise<boolean> {
    this.#step ??= this.#doStep().finally(() => {
      this.#step = undefined;
    });
    return this.#step;
  }

  /** Returns whether it did anything. */
  async #doStep(): Promise<boolean> {
    const { marks, files, gone, pending } = await this.#todo(this.#stop.signal);
    if (gone.length > 0) return this.#remove(gone, marks);
    const [next] = pending;
    if (!next) return false;
    const total = [...marks.values()].reduce((sum, { chars }) => sum + chars, 0);
    if (total >= this.#limits.perHome) {
      const oldest = files.findLast(({ file }) => marks.has(file));
      const isOlder = oldest && files.indexOf(oldest) > files.findIndex(({ file }) => file === next.file);
      return isOlder ? this.#remove([oldest.file], marks) : false;
    }
    await this.#read(next.file, marks, next.bytes);
    return true;
  }

  async #remove(files: readonly string[], marks: Map<string, TranscriptMark>): Promise<true> {
    await this.#options.text.remove(files);
    for (const file of files) marks.delete(file);
    return true;
  }

  async #read(file: string, marks: Map<string, TranscriptMark>, bytes: number): Promise<void> {
    const { reader, text, home } = this.#options;
    const mark = marks.get(file) ?? { file, ...startOfFile, chars: 0 };
    try {
      const part = await reader.read(file, mark);
      if (!part) return void (await this.#remove([file], marks));
      const room = this.#limits.perSession - mark.chars;
      const passages = upTo(room, part.passages);
      const chars = mark.chars + passages.reduce((sum, passage) => sum + passage.text.length, 0);
      const isFull = passages.length < part.passages.length;
      const after = {
        file,
        next: part.next,
        tail: part.tail,
        chars: isFull ? this.#limits.perSession : chars,
      };
      await text.add(home, after, passages);
      marks.set(file, after);
      // The rest is a line that is still being written.
      if (part.next === mark.next) this.#unreadable.set(file, mark.next + bytes);
    } catch (error) {
      this.#unreadable.set(file, mark.next + bytes);
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }

  /** The transcripts that no longer exist, and those with something new, newest first. */
  async #todo(signal: AbortSignal | undefined) {
    const marks = await this.#known();
    const files = await this.#options.files(signal);
    const existing = new Set(files.map(({ file }) => file));
    const gone = [...marks.keys()].filter((file) => !existing.has(file));
    const pending = files.flatMap(({ file, size }) => {
      const mark = marks.get(file);
      if (this.#unreadable.get(file) === size || mark?.next === size) return [];
      if (mark && mark.chars >= this.#limits.perSession && mark.next < size) return [];
      // A file that shrank was rewritten.
      return [{ file, bytes: mark && mark.next < size ? size - mark.next : size }];
    });
    return { marks, files, gone, pending };
  }

  #known(): Promise<Map<string, TranscriptMark>> {
    this.#marks ??= this.#options.text.marks(this.#options.home).then(
      (marks) => new Map(marks.map((mark) => [mark.file, mark])),
      (error: unknown) => {
        this.#marks = undefined;
        throw error;
      },
    );
    return this.#marks;
  }
}

function upTo<Passage extends { readonly text: string }>(
  room: number,
  passages: readonly Passage[],
): readonly Passage[] {
  let left = room;
  return passages.filter(({ text }) => {
    left -= text.length;
    return left >= 0;
  });
}
