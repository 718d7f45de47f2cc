// The store as the index of transcripts wants its cache.
import type { IndexCache, SessionRecord } from '@parley/claude-cli';
import type { TranscriptCache } from '../../../domain/code-session-store.ts';

export function keptRecords(cache: TranscriptCache): IndexCache {
  return {
    // Parley wrote them itself, and the index checks their version.
    load: async () => (await cache.load()) as readonly SessionRecord[],
    save: (records) => cache.save(records.map((record) => ({ file: record.file, record }))),
    remove: (files) => cache.remove(files),
  };
}
