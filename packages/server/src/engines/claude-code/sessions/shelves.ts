// The transcripts of each person. Everybody has a home of the program, and every home an index, opened with its first use.
import { sep } from 'node:path';
import { type IndexCache, SessionIndex, type SessionRecord } from '@parley/claude-cli';
import type { PersonName } from '@parley/protocol';
import type { TranscriptCache } from '../../../domain/code-session-store.ts';
import type { ProgramHome } from '../program-home.ts';
import type { CodeSessionsOptions } from './options.ts';
import { TextSearch } from './text-search.ts';

/** The transcripts in one person's home. */
export interface Shelf {
  readonly home: ProgramHome;
  readonly index: SessionIndex;
  readonly search: TextSearch;
}

export class Shelves {
  readonly #options: CodeSessionsOptions;
  readonly #shelves = new Map<PersonName, Promise<Shelf>>();

  constructor(options: CodeSessionsOptions) {
    this.#options = options;
  }

  of(person: PersonName): Promise<Shelf> {
    const opened = this.#shelves.get(person) ?? this.#open(person);
    this.#shelves.set(person, opened);
    opened.catch(() => this.#shelves.delete(person));
    return opened;
  }

  async close(): Promise<void> {
    const opened = await Promise.allSettled(this.#shelves.values());
    for (const one of opened) if (one.status === 'fulfilled') await one.value.index.close();
  }

  async #open(person: PersonName): Promise<Shelf> {
    const { engine, store, clock, logger } = this.#options;
    const home = await engine.homes.of(person);
    const index = new SessionIndex({
      root: home.projects,
      cache: indexCache(store.codeSessions.transcripts, home.projects),
      watch: true,
      onError: (error) => logger.warn({ err: error }, 'transcripts could not be read'),
    });
    return { home, index, search: new TextSearch(index, clock) };
  }
}

/** The part of the cache that belongs to one home: an index drops what it does not find. */
function indexCache(cache: TranscriptCache, projects: string): IndexCache {
  return {
    load: async () => {
      // Parley wrote them itself, and the index checks their version.
      const records = (await cache.load()) as readonly SessionRecord[];
      return records.filter(({ file }) => file.startsWith(`${projects}${sep}`));
    },
    save: (records) => cache.save(records.map((record) => ({ file: record.file, record }))),
    remove: (files) => cache.remove(files),
  };
}
