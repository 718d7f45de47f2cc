// Makes folders that only their owner may enter.
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** With those above it. Node's own way to do that never ends below a folder that takes no others, such as /proc. */
export async function makePrivateFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    if (await isFolder(folder)) return;
    const parent = dirname(folder);
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' || (await isFolder(parent))) throw error;
    await makePrivateFolder(parent);
    await mkdir(folder, { mode: 0o700 });
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
