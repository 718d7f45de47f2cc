// The audit log: who did what, and when. When there are too many entries, the oldest are removed.
import { type AuditAction, type AuditEntry, type PersonName, type Sentence, say } from '@parley/protocol';
import type { Clock } from './clock.ts';
import type { Logger } from './logger.ts';

export interface AuditRecord {
  readonly action: AuditAction;
  /** Who did it; absent if nobody was recognized, or on the command line. */
  readonly person?: PersonName | undefined;
  /** Whom or what it was done to. Never a secret. */
  readonly subject?: string | undefined;
  /** Facts, separated by `; `. */
  readonly detail?: Sentence | undefined;
  /** The address it came from. */
  readonly address?: string | undefined;
}

export interface AuditLog {
  /** Returns at once and never throws: what is recorded has happened, whether or not the record can be stored. */
  record(entry: AuditRecord): void;
}

export interface AuditQuery {
  /** Found anywhere in the person, subject, detail or address, in any case. */
  readonly text?: string;
  readonly person?: PersonName;
  readonly action?: AuditAction;
  /** From this time on. */
  readonly from?: number;
  /** Before this time. */
  readonly until?: number;
  /** Only entries with a smaller number, to continue where the last page ended. */
  readonly before?: number;
  readonly limit: number;
}

/** Every call rejects with `unavailable` when the database cannot be used. */
export interface AuditStore {
  /** Survives a crash of the process. Removes the oldest entries beyond the newest `most`. */
  add(at: number, entry: AuditRecord, most: number): Promise<void>;
  /** The newest first. */
  search(query: AuditQuery): Promise<readonly AuditEntry[]>;
}

const exportPage = 500;

/** All matching entries, the newest first, read in pages. */
export async function* everyEntry(
  store: Pick<AuditStore, 'search'>,
  wanted: Omit<AuditQuery, 'before' | 'limit'>,
): AsyncGenerator<AuditEntry, void, undefined> {
  let before: number | undefined;
  do {
    const page = await store.search({
      ...wanted,
      limit: exportPage,
      ...(before !== undefined && { before }),
    });
    yield* page;
    before = page.length < exportPage ? undefined : page.at(-1)?.id;
  } while (before !== undefined);
}

const maxEntries = 100_000;
const longestText = 1_000;

export function createAuditLog(parts: {
  readonly store: AuditStore;
  readonly clock: Clock;
  readonly logger: Logger;
}): AuditLog {
  const { store, clock, logger } = parts;
  return {
    record(entry) {
      const { subject, detail } = entry;
      const bounded = {
        ...entry,
        subject: subject?.slice(0, longestText),
        detail: detail && say`${detail.slice(0, longestText)}`,
      };
      store.add(clock.now(), bounded, maxEntries).catch((error: unknown) => {
        logger.error(
          { err: error, action: entry.action, person: entry.person },
          'could not record in the audit log',
        );
      });
    },
  };
}
