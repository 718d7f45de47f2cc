// Remembers the trusted folders, each with the digest of what it would run. A folder that changes is no longer trusted.
// Trust counts for everybody who may work there.
import { readFile } from 'node:fs/promises';
import { ParleyError, PersonName } from '@parley/protocol';
import { z } from 'zod';
import { replaceFile } from '../../../basics/atomic-file.ts';
import { KeyedQueue } from '../../../basics/keyed-queue.ts';
import { realPathOf } from '../../../basics/real-path.ts';
import { cleanText } from '../../../content/clean-text.ts';
import type { Clock } from '../../../domain/clock.ts';
import type { FolderLook, FolderTrust } from '../../../domain/folder-trust.ts';
import type { Logger } from '../../../domain/logger.ts';
import type { WorkFolders } from '../../../domain/work-folders.ts';
import { folderRuns } from './folder-runs.ts';

export interface FolderTrustOptions {
  readonly folders: Pick<WorkFolders, 'check'>;
  /** Where trust is stored. */
  readonly file: string;
  /** The folder of a person's own configuration for the program, usually `~/.claude`. */
  readonly ownFolder: (person: PersonName) => Promise<string>;
  readonly clock: Clock;
  readonly logger: Logger;
}

const Trusted = z.object({ digest: z.string(), by: PersonName, at: z.number() });
type Trusted = z.infer<typeof Trusted>;
const TrustFile = z.record(z.string(), Trusted);

/** The oldest are forgotten. */
const maxFolders = 1_000;
const maxShown = 100;
const longestDetail = 500;

export function createFolderTrust({
  folders,
  file,
  ownFolder,
  clock,
  logger,
}: FolderTrustOptions): FolderTrust {
  let reading: Promise<Map<string, Trusted>> | undefined;
  const writes = new KeyedQueue();

  /** If the file can't be read, no folder is trusted. */
  async function readTrusted(): Promise<Map<string, Trusted>> {
    try {
      return new Map(Object.entries(TrustFile.parse(JSON.parse(await readFile(file, 'utf8')))));
    } catch (error) {
      const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      if (!isMissing)
        logger.warn(
          { err: error, file },
          'the list of trusted folders could not be read, so none is trusted',
        );
      return new Map();
    }
  }

  const known = () => {
    reading ??= readTrusted();
    return reading;
  };

  async function change(path: string, entry: Trusted | undefined): Promise<void> {
    const all = await known();
    all.delete(path);
    if (entry) all.set(path, entry);
    for (const oldest of [...all.keys()].slice(0, Math.max(0, all.size - maxFolders))) all.delete(oldest);
    const content = JSON.stringify(Object.fromEntries(all), undefined, 2);
    await writes.run(file, () => replaceFile(file, content));
  }

  async function look(person: PersonName, path: string): Promise<FolderLook> {
    const real = await folders.check(person, path);
    const own = await ownFolder(person);
    const { runs, digest, isTooMuch, instructions } = await folderRuns(real, await realPathOf(own));
    const entry = (await known()).get(real);
    const isSame = entry?.digest === digest && !isTooMuch;
    const reason =
      runs.length === 0 && !isTooMuch ? 'nothing' : isSame ? 'trusted' : entry ? 'changed' : 'new';
    return {
      path: real,
      isTrusted: reason === 'nothing' || reason === 'trusted',
      reason,
      digest: isTooMuch ? '' : digest,
      runs: runs.slice(0, maxShown).map(({ kind, name, detail, file: place }) => ({
        kind,
        name: shown(name),
        detail: shown(detail),
        file: shown(place),
      })),
      more: Math.max(0, runs.length - maxShown),
      instructions: instructions.map(shown),
      ...(isSame && { trusted: { by: entry.by, at: entry.at } }),
    };
  }

  return {
    look,

    async list(person) {
      const usable = [];
      for (const [path, { by, at }] of await known()) {
        const real = await folders.check(person, path).catch(() => undefined);
        if (real === path) usable.unshift({ path, by, at });
      }
      return usable;
    },

    async trust(person, path, digest) {
      const { path: real, digest: present } = await look(person, path);
      if (present === '') throw tooMuch;
      if (present !== digest) throw changed;
      await change(real, { digest, by: person, at: clock.now() });
      logger.info({ person, folder: real }, 'a folder is trusted');
      return look(person, real);
    },

    async distrust(person, path) {
      const real = await folders.check(person, path);
      await change(real, undefined);
      logger.info({ person, folder: real }, 'a folder is no longer trusted');
      return look(person, real);
    },
  };
}

function shown(text: string): string {
  const clean = cleanText(text);
  return clean.length > longestDetail ? `${clean.slice(0, longestDetail)}…` : clean;
}

const changed = new ParleyError(
  'conflict',
  'The configuration of this folder has changed since it was shown. Look at it again.',
);

const tooMuch = new ParleyError(
  'invalid',
  'This folder has more configuration than can be checked, so it cannot be trusted.',
);
