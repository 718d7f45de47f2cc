// Opens a file only if no link leads to it. Programs write to the folders of transcripts, and a link there could lead
// to files that only the host may read. Checks the opened file, because a path can change at any moment, and fails as
// if the file were missing. The caller resolves links in the path of the root. Outside of Linux, checks only the last
// name.
import { closeSync, constants, openSync, readlinkSync } from 'node:fs';
import { type FileHandle, open, readlink, realpath } from 'node:fs/promises';

/** Without O_NONBLOCK, opening a pipe would wait forever. */
const SAFELY = constants.O_NOFOLLOW | constants.O_NONBLOCK;

export async function openReal(path: string, flags: number = constants.O_RDONLY): Promise<FileHandle> {
  const file = await open(path, flags | SAFELY).catch((error: unknown) => {
    throw asMissing(error, path);
  });
  if (process.platform !== 'linux' || (await readlink(`/proc/self/fd/${file.fd}`)) === path) return file;
  await file.close();
  throw missing(path);
}

export function openRealSync(path: string): number {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | SAFELY);
  } catch (error) {
    throw asMissing(error, path);
  }
  if (process.platform !== 'linux' || readlinkSync(`/proc/self/fd/${fd}`) === path) return fd;
  closeSync(fd);
  throw missing(path);
}

/** For changes that need no open file. */
export async function requireRealFolder(folder: string): Promise<void> {
  if (process.platform === 'linux' && (await realpath(folder)) !== folder) throw missing(folder);
}

function asMissing(error: unknown, path: string): unknown {
  return (error as NodeJS.ErrnoException).code === 'ELOOP' ? missing(path) : error;
}

function missing(path: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`ENOENT: ${path} leads elsewhere`), { code: 'ENOENT', path });
}
