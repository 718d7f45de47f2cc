// The transcripts in each person's home, with their index and the search in them. Each home is opened on first use.
import { sep } from 'node:path';
import {
  findTranscript,
  type IndexCache,
  type SessionEntry,
  SessionIndex,
  type SessionRecord,
} from '@parley/claude-cli';
import type { PersonName, SessionId } from '@parley/protocol';
import type { TranscriptCache } from '../../../domain/code-session-store.ts';
import type { ProgramHome } from '../program-home.ts';
import type { CodeSessionsOptions } from './code-sessions-options.ts';
import { PassageReader } from './text/passage-reader.ts';
import { TextSearch } from './text/text-search.ts';
import { TranscriptIndexer } from './text/transcript-indexer.ts';

/** The transcripts in one person's home. */
export interface PersonTranscripts {
  readonly home: ProgramHome;
  readonly index: SessionIndex;
  readonly indexer: TranscriptIndexer;
  readonly search: TextSearch;
}

export class HomeTranscripts {
  readonly #options: CodeSessionsOptions;
  readonly #reader = new PassageReader();
  readonly #homes = new Map<PersonName, Promise<PersonTranscripts>>();

  constructor(options: CodeSessionsOptions) {
    this.#options = options;
  }

  of(person: PersonName): Promise<PersonTranscripts> {
    const opened = this.#homes.get(person) ?? this.#open(person);
    this.#homes.set(person, opened);
    opened.catch(() => this.#homes.delete(person));
    return opened;
  }

  async close(): Promise<void> {
    const opened = await Promise.allSettled(this.#homes.values());
    for (const one of opened) {
      if (one.status !== 'fulfilled') continue;
      await one.value.indexer.close();
      await one.value.index.close();
    }
    await this.#reader.close();
  }

  async #open(person: PersonName): Promise<PersonTranscripts> {
    const { engine, store, text, logger } = this.#options;
    const home = await engine.homes.of(person);
    const index = new SessionIndex({
      root: home.projects,
      cache: indexCache(store.codeSessions.transcripts, home.projects),
      watch: true,
      onError: (error) => logger.warn({ err: error }, 'transcripts could not be read'),
    });
    const indexer = new TranscriptIndexer({
      home: home.projects,
      files: (signal) => index.sizes(signal),
      text,
      reader: this.#reader,
      logger,
    });
    return { home, index, indexer, search: new TextSearch(home.projects, indexer, text) };
  }
}

/** Looks for the file too: the index learns about a new one a moment after it was written. */
export async function entryIn(
  { home, index }: PersonTranscripts,
  id: SessionId,
): Promise<SessionEntry | undefined> {
  const known = await index.get(id);
  if (known || (await findTranscript(home.projects, id)) === undefined) return known;
  await index.refresh();
  return index.get(id);
}

/** Only the part of the cache that belongs to one home, because an index drops what it doesn't find. */
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
