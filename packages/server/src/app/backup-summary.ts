// What the last entry of a backup says about the entries before it, so that a restore notices when anything is missing or
// different.
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

/** One digest over names, sizes and the digest of each content, so that its size does not depend on their number. */
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
