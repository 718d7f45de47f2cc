// Identifies the folder that a path leads to right now, by device and inode. Checks the opened folder, because a
// program that can write to a folder above could replace part of the path with a link at any moment.
import { constants } from 'node:fs';
import { open, readlink } from 'node:fs/promises';
import { ParleyError } from '@parley/protocol';
import type { Identity } from './bubblewrap.ts';

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;

/** `path` has no symbolic links, as far as the caller knows. Linux only. */
export async function identify(path: string): Promise<Identity> {
  const handle = await open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  try {
    if ((await readlink(`/proc/self/fd/${handle.fd}`)) !== path) throw replaced(path);
    const { dev, ino } = await handle.stat({ bigint: true });
    return { path, id: `${dev}:${ino}` };
  } finally {
    await handle.close();
  }
}

function replaced(path: string): ParleyError {
  return new ParleyError('conflict', `${path} has just been replaced by something else. Try again.`);
}
