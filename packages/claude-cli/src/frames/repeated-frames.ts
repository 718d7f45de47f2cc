// Recognizes frames that a process wrote before, by their uuid: readers get each message once.
import { dropOldest } from '../drop-oldest.ts';
import type { Frame } from './frame.ts';

/** Repetitions come soon after the original. Anything older is history, which readers get from the transcript. */
const REMEMBERED = 10_000;

export class RepeatedFrames {
  readonly #seen = new Set<string>();

  /** Pieces of a message are not checked: most are never parsed, and they are not messages themselves. */
  isRepeated({ kind, uuid }: Frame): boolean {
    if (uuid === undefined || kind === 'stream_event' || kind === 'bare_stream_event') return false;
    if (this.#seen.has(uuid)) return true;
    this.#seen.add(uuid);
    dropOldest(this.#seen, REMEMBERED);
    return false;
  }
}
