// A file that only its owner may read, written whole or not at all.
import { randomBytes } from 'node:crypto';
import { chmod, link, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makePrivateFolder } from './folders.ts';

/** Nothing when there is no such file. Closes it to others where somebody opened it up. */
export async function readPrivate(file: string): Promise<string | undefined> {
  try {
    await chmod(file, 0o600);
    return await readFile(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** False when the file is there already: two starts at once agree on one. */
export async function writePrivateOnce(file: string, text: string): Promise<boolean> {
  const draft = await writeDraft(file, text);
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await unlink(draft);
  }
}

export async function replacePrivate(file: string, text: string): Promise<void> {
  await rename(await writeDraft(file, text), file);
}

/** Written aside first, so that a crash leaves no half of it behind. */
async function writeDraft(file: string, text: string): Promise<string> {
  await makePrivateFolder(dirname(file));
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  await writeFile(draft, text, { mode: 0o600, flag: 'wx', flush: true });
  return draft;
}
