// Writes a file so that its name holds the old content or the new content at any moment, never a part of it. The content
// goes into a draft next to the file first; a crash may leave a draft behind, but nothing else.
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, link, open, rename, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;

export interface WriteOptions {
  /** Permissions of the file, reduced by the umask. Only the owner may read it unless this says otherwise. */
  readonly mode?: number;
  /** Called when the draft is complete; when it rejects, the file stays as it is. */
  readonly beforeRename?: () => Promise<void>;
}

export type Content = string | Uint8Array | ((file: FileHandle) => Promise<void>);

/** Resolves when the new content survives a power cut. When anything fails, the old file is untouched. */
export async function replaceFile(file: string, content: Content, options: WriteOptions = {}): Promise<void> {
  const draft = await writeDraft(file, content, options);
  try {
    await options.beforeRename?.();
    await rename(draft, file);
  } catch (thrown) {
    await unlink(draft).catch(() => undefined);
    throw thrown;
  }
  await syncFolder(dirname(file));
}

/** Like `replaceFile`, but resolves to false and changes nothing when the file exists. */
export async function createFile(
  file: string,
  content: Content,
  options: WriteOptions = {},
): Promise<boolean> {
  const draft = await writeDraft(file, content, options);
  try {
    await options.beforeRename?.();
    await link(draft, file).catch(async (thrown: unknown) => {
      if (isTaken(thrown)) throw thrown;
      await moveToFreeName(draft, file);
    });
  } catch (thrown) {
    if (isTaken(thrown)) return false;
    throw thrown;
  } finally {
    await unlink(draft).catch(() => undefined);
  }
  await syncFolder(dirname(file));
  return true;
}

/** For file systems without links: reserves the name first. A crash in between leaves an empty file. */
async function moveToFreeName(draft: string, file: string): Promise<void> {
  await writeFile(file, '', { flag: 'wx', mode: 0o600 });
  try {
    await rename(draft, file);
  } catch (thrown) {
    await unlink(file).catch(() => undefined);
    throw thrown;
  }
}

function isTaken(thrown: unknown): boolean {
  return (thrown as NodeJS.ErrnoException).code === 'EEXIST';
}

/** Whether a file name is that of a draft. */
export function isDraft(name: string): boolean {
  return /^\.parley-[0-9a-f]{16}\.tmp$/.test(name);
}

async function writeDraft(file: string, content: Content, { mode = 0o600 }: WriteOptions): Promise<string> {
  const draft = join(dirname(file), `.parley-${randomBytes(8).toString('hex')}.tmp`);
  const handle = await open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
  try {
    try {
      if (typeof content === 'function') await content(handle);
      else await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    return draft;
  } catch (thrown) {
    await unlink(draft).catch(() => undefined);
    throw thrown;
  }
}

/** A new name survives a power cut only if its folder is synced. Systems that can't open folders don't need it. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  try {
    await handle?.sync();
  } finally {
    await handle?.close();
  }
}
