// Which sessions have words in their messages or titles. A search reads many files, so its result is cached for a while:
// all pages of one search come from one reading.
import { basename } from 'node:path';
import { type SessionIndex, searchTranscripts } from '@parley/claude-cli';
import { BoundedMap } from '../../../basics/bounded-map.ts';
import type { Clock } from '../../../domain/clock.ts';

const cachedMs = 60_000;
const cachedSearches = 8;
const mostHits = 500;
const mostBytes = 2 * 1024 ** 3;

interface Found {
  readonly ids: ReadonlySet<string>;
  readonly at: number;
}

export class TextSearch {
  readonly #index: SessionIndex;
  readonly #clock: Clock;
  readonly #found = new BoundedMap<string, Found>(cachedSearches);

  constructor(index: SessionIndex, clock: Clock) {
    this.#index = index;
    this.#clock = clock;
  }

  /** Accepts sessions with the words in their messages or titles. `accept` must always allow the same set. */
  async containing(
    words: string,
    accept: (id: string) => boolean,
    signal: AbortSignal | undefined,
  ): Promise<(id: string) => boolean> {
    const inText = await this.#inMessages(words, accept, signal);
    const byTitle = await this.#index.list({ search: words, accept, limit: mostHits, signal });
    const inTitle = new Set(byTitle.sessions.map(({ sessionId }) => sessionId));
    return (id) => inText.has(id) || inTitle.has(id);
  }

  async #inMessages(
    words: string,
    accept: (id: string) => boolean,
    signal: AbortSignal | undefined,
  ): Promise<ReadonlySet<string>> {
    const known = this.#found.get(words);
    if (known && this.#clock.now() - known.at < cachedMs) return known.ids;
    const files = (await this.#index.files(signal)).filter((file) => accept(idOf(file)));
    const ids = new Set<string>();
    const bounds = { maxHits: mostHits, maxHitsPerFile: 1, maxBytes: mostBytes };
    for await (const hit of searchTranscripts(files, words, { ...bounds, ...(signal && { signal }) })) {
      ids.add(idOf(hit.file));
    }
    this.#found.set(words, { ids, at: this.#clock.now() });
    return ids;
  }
}

function idOf(file: string): string {
  return basename(file, '.jsonl');
}
