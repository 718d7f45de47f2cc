// Writes a file so that at any moment the name holds the old content or the new one, whole.
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, rename, unlink } from 'node:fs/promises';
import { errorCode } from './file-errors.ts';
import { type Folder, refuseUnlessFile } from './folder.ts';

const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;

/** True when the file is new. When `write` or the disk fails, the old file is untouched. */
export async function replaceFile(
  folder: Folder,
  name: string,
  write: (file: FileHandle) => Promise<void>,
): Promise<boolean> {
  const old = await existingFile(folder, name);
  const temporary = folder.entry(`.parley-${randomBytes(8).toString('hex')}.tmp`);
  const file = await open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o666);
  try {
    try {
      if (old !== undefined) await file.chmod(old.mode & 0o777);
      await write(file);
      await file.sync();
    } finally {
      await file.close();
    }
    await folder.verify();
    await rename(temporary, folder.entry(name));
  } catch (thrown) {
    await unlink(temporary).catch(() => undefined);
    throw thrown;
  }
  await folder.sync();
  return old === undefined;
}

/** Whether a name is that of a file on its way to being written. A crash may leave one behind. */
export function isTemporary(name: string): boolean {
  return /^\.parley-[0-9a-f]{16}\.tmp$/.test(name);
}

async function existingFile(folder: Folder, name: string): Promise<{ readonly mode: number } | undefined> {
  try {
    const stats = await lstat(folder.entry(name));
    refuseUnlessFile(stats, name);
    return stats;
  } catch (thrown) {
    if (errorCode(thrown) === 'ENOENT') return undefined;
    throw thrown;
  }
}
