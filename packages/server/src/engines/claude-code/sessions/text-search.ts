// Which sessions have words in their messages. A search reads many files, so its result is cached for a while: all pages
// of one search come from one reading.
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

  /** Among the accepted sessions; `scope` identifies that set. */
  async ids(
    words: string,
    scope: string,
    accept: (id: string) => boolean,
    signal: AbortSignal | undefined,
  ): Promise<ReadonlySet<string>> {
    const key = JSON.stringify([scope, words]);
    const known = this.#found.get(key);
    if (known && this.#clock.now() - known.at < cachedMs) return known.ids;
    const files = (await this.#index.files(signal)).filter((file) => accept(idOf(file)));
    const ids = new Set<string>();
    const bounds = { maxHits: mostHits, maxHitsPerFile: 1, maxBytes: mostBytes };
    for await (const hit of searchTranscripts(files, words, { ...bounds, ...(signal && { signal }) })) {
      ids.add(idOf(hit.file));
    }
    this.#found.set(key, { ids, at: this.#clock.now() });
    return ids;
  }
}

function idOf(file: string): string {
  return basename(file, '.jsonl');
}
