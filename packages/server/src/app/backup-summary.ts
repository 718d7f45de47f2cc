// The last entry of a backup, which summarizes all others, so that a restore notices if one is missing or different.
import { createHash } from 'node:crypto';
import { z } from 'zod';

export const summaryName = 'parley-backup.json';
export const backupFormat = 1;

export const BackupSummary = z.object({
  format: z.literal(backupFormat),
  /** The version of Parley that made the backup. */
  version: z.string(),
  files: z.int(),
  bytes: z.number(),
  digest: z.string(),
});
export type BackupSummary = z.infer<typeof BackupSummary>;

/** One digest over the path, size and hash of every file, so that the summary stays small however many there are. */
export class BackupDigest {
  files = 0;
  bytes = 0;
  readonly #hash = createHash('sha256');

  add(path: string, size: number, sha256: string): void {
    this.files += 1;
    this.bytes += size;
    this.#hash.update(JSON.stringify([path, size, sha256]));
  }

  end(): Pick<BackupSummary, 'files' | 'bytes' | 'digest'> {
    return { files: this.files, bytes: this.bytes, digest: this.#hash.digest('hex') };
  }
}
