// Reads passages of transcripts in a separate thread, which ends when there is nothing to read for a while.
import type { FileHandle } from 'node:fs/promises';
import { openReal } from '@parley/claude-cli';
import { WorkerThread } from '../../../../basics/worker-thread.ts';
import type { TranscriptMark, TranscriptPassage } from '../../../../domain/transcript-text.ts';

export interface TranscriptPart extends Pick<TranscriptMark, 'next' | 'tail'> {
  readonly passages: readonly TranscriptPassage[];
}

interface Request {
  readonly handle: FileHandle;
  readonly from: number;
  readonly tail: string;
}

/** `tail` is the hash of no bytes. */
export const startOfFile = { next: 0, tail: '47DEQpj8HBSa-_TImW-5JC' };
/** Only a disk that doesn't respond takes longer. */
const longestMs = 60_000;

export class PassageReader {
  readonly #thread = new WorkerThread<Request, TranscriptPart | undefined>({
    module: new URL('./passage-worker.mjs', import.meta.url),
    idleMs: 10_000,
  });

  /** Reads what follows a mark; undefined if the file was rewritten since. */
  async read(file: string, { next, tail }: typeof startOfFile): Promise<TranscriptPart | undefined> {
    // Opened here and handed to the thread, which doesn't check for links.
    const handle = await openReal(file);
    return this.#thread.call({ handle, from: next, tail }, AbortSignal.timeout(longestMs), [handle]);
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}
