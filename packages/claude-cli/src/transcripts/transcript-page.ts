// Pages through a transcript in both directions without reading the whole file. Cursors are byte offsets of line
// starts: transcripts only grow at their end, so a cursor stays valid while the program writes.
import type { FileHandle } from 'node:fs/promises';
import { bookkeepingTypes } from '../frames/bookkeeping-types.ts';
import type { Frame } from '../frames/frame.ts';
import { LineSplitter } from '../frames/line-splitter.ts';
import { topLevelType } from '../frames/top-level-fields.ts';
import { type FileLine, linesBackward, readFully } from './file-blocks.ts';
import { openReal } from './real-file.ts';
import { type DamageCounts, noDamage, readLine } from './transcript-line.ts';

const FORWARD_BLOCK = 256 * 1024;
const DEFAULT_LIMIT = 50;

export interface PageOptions {
  /** Reads backward from this cursor of an earlier page; default the end of the file. */
  readonly before?: number | undefined;
  /** Reads forward from here instead. 0 is the start of the file. */
  readonly after?: number | undefined;
  readonly limit?: number;
  /** Which lines count, by their top-level type; default everything except bookkeeping. */
  readonly accept?: (type: string | undefined) => boolean;
  readonly maxLineBytes?: number;
  readonly signal?: AbortSignal | undefined;
}

export interface TranscriptMessage {
  /** Where its line starts in the file. */
  readonly offset: number;
  readonly frame: Frame;
}

export interface TranscriptPage {
  /** Oldest first, whichever way the page was read. */
  readonly messages: readonly TranscriptMessage[];
  /** Cursor of the page before this one; undefined if this one reaches the start of the file. */
  readonly before: number | undefined;
  /** Cursor of what follows, including what is not written yet. */
  readonly after: number;
  /** Damaged lines that were skipped or repaired, by kind. */
  readonly damage: DamageCounts;
}

export async function readTranscriptPage(path: string, options: PageOptions = {}): Promise<TranscriptPage> {
  options.signal?.throwIfAborted();
  const file = await openReal(path);
  try {
    return options.after === undefined
      ? await pageBackward(file, options)
      : await pageForward(file, options.after, options);
  } finally {
    await file.close();
  }
}

async function pageBackward(file: FileHandle, options: PageOptions): Promise<TranscriptPage> {
  const { size } = await file.stat();
  const collector = new Collector(options);
  const end = Math.min(options.before ?? size, size);
  let after = end;
  let reached = end;

  for await (const lines of linesBackward(file, { ...limits(options), end })) {
    for (const line of lines) {
      if (collector.full) break;
      collector.add(line, 'backward');
      reached = line.offset;
      // A last line that is still being written belongs to the page after `after`.
      if (!line.terminated && collector.damage.torn > 0) after = line.offset;
    }
    if (collector.full) break;
  }
  return {
    messages: collector.messages.toReversed(),
    before: reached > 0 ? reached : undefined,
    after,
    damage: collector.damage,
  };
}

async function pageForward(file: FileHandle, from: number, options: PageOptions): Promise<TranscriptPage> {
  const collector = new Collector(options);
  let after = from;
  const take = (bytes: Buffer | undefined, offset: number, terminated: boolean, size: number): void => {
    if (collector.full) return;
    collector.add({ bytes, offset, terminated }, 'forward');
    const isTorn = !terminated && collector.damage.torn > 0;
    if (!isTorn) after = offset + size + (terminated ? 1 : 0);
  };
  const splitter = new LineSplitter({
    ...limits(options),
    startOffset: from,
    onLine: (line, offset, terminated) => take(line, offset, terminated, line.length),
    onOverlong: (size, offset) => take(undefined, offset, true, size),
  });

  let position = from;
  while (!collector.full) {
    options.signal?.throwIfAborted();
    const block = await readFully(file, position, FORWARD_BLOCK);
    if (block.length === 0) break;
    position += block.length;
    splitter.push(block);
  }
  if (!collector.full) splitter.end();
  return {
    messages: collector.messages,
    before: from > 0 ? from : undefined,
    after,
    damage: collector.damage,
  };
}

function limits(options: PageOptions): { maxLineBytes?: number; signal?: AbortSignal } {
  return {
    ...(options.maxLineBytes === undefined ? {} : { maxLineBytes: options.maxLineBytes }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  };
}

class Collector {
  readonly messages: TranscriptMessage[] = [];
  readonly damage = noDamage();
  readonly #limit: number;
  readonly #accept: (type: string | undefined) => boolean;

  constructor(options: PageOptions) {
    this.#limit = options.limit ?? DEFAULT_LIMIT;
    this.#accept = options.accept ?? ((type) => type === undefined || !bookkeepingTypes.has(type));
  }

  get full(): boolean {
    return this.messages.length >= this.#limit;
  }

  add({ bytes, offset, terminated }: FileLine, direction: 'forward' | 'backward'): void {
    if (bytes === undefined) {
      this.damage.overlong += 1;
      return;
    }
    const type = topLevelType(bytes);
    if (type !== undefined && terminated && !this.#accept(type)) return;
    const { frames, damage } = readLine(bytes, terminated);
    if (damage) this.damage[damage] += 1;
    for (const frame of direction === 'forward' ? frames : frames.toReversed()) {
      const body: { readonly type?: unknown } = frame.body;
      const frameType = typeof body.type === 'string' ? body.type : undefined;
      if (this.#accept(frameType)) this.messages.push({ offset, frame });
    }
  }
}
