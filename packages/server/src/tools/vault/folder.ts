// An open folder of the vault. Names are looked up in the open folder one by one and links are never followed, so changes
// to the tree in the meantime can't lead elsewhere.
//
// Linux reaches the entries of an open folder as `/proc/self/fd/<n>/<name>`. On other systems, folders are known by path
// and identity, and each is checked again after use: that protects against existing links, but not against somebody who
// changes the tree at that very moment.
import { constants, existsSync } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readlink, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { ParleyError } from '@parley/protocol';
import { replaceFile } from '../../basics/atomic-file.ts';
import { errorCode } from './file-errors.ts';

/** Whether this system can reach the entries of an open folder. */
export const canHoldFolders = existsSync('/proc/self/fd');

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = constants;

export class Folder implements AsyncDisposable {
  /** The real path of the vault. */
  readonly #root: string;
  readonly #path: string;
  readonly #handle: FileHandle | undefined;
  readonly #identity: string;

  private constructor(root: string, path: string, handle: FileHandle | undefined, identity: string) {
    this.#root = root;
    this.#path = path;
    this.#handle = handle;
    this.#identity = identity;
  }

  /** Opens a person's folder, and creates it first if necessary. */
  static async openVault(root: string, holds = canHoldFolders): Promise<Folder> {
    await mkdir(root, { recursive: true, mode: 0o700 });
    const real = await realpath(root);
    return Folder.#open({ root: real, way: real, path: real, holds });
  }

  /** For calls that take a path. */
  get path(): string {
    return this.#handle === undefined ? this.#path : `/proc/self/fd/${this.#handle.fd}`;
  }

  /** The path of an entry. The name must come from a parsed path. */
  entry(name: string): string {
    return `${this.path}/${name}`;
  }

  /** Opens a folder below this one. With `create`, creates missing folders. */
  async descend(names: readonly string[], options: { readonly create: boolean }): Promise<Folder> {
    let folder: Folder = await this.#reach(this.path, this.#path);
    for (const name of names) {
      await using parent = folder;
      folder = await parent.#child(name, options.create);
    }
    return folder;
  }

  /** Opens a regular file for reading. Never opens pipes or devices. */
  async openFile(name: string): Promise<FileHandle> {
    const path = this.entry(name);
    refuseUnlessFile(await lstat(path), name);
    const handle = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      const stats = await handle.stat();
      refuseUnlessFile(stats, name);
      await this.#verify(handle, join(this.#path, name), identityOf(stats));
      return handle;
    } catch (thrown) {
      await handle.close();
      throw thrown;
    }
  }

  /** Throws when the folder is no longer where it was opened. */
  async verify(): Promise<void> {
    await this.#verify(this.#handle, this.#path, this.#identity);
  }

  /**
   * Creates a file or replaces its content, atomically. True when the file is new. When `write` or the disk fails, the
   * old file is untouched.
   */
  async writeFile(name: string, write: (file: FileHandle) => Promise<void>): Promise<boolean> {
    const old = await this.#statFile(name);
    const content = async (file: FileHandle) => {
      if (old !== undefined) await file.chmod(old.mode & 0o777);
      await write(file);
    };
    await replaceFile(this.entry(name), content, { mode: 0o666, beforeRename: () => this.verify() });
    return old === undefined;
  }

  /** Throws when something else than a file has the name. */
  async hasFile(name: string): Promise<boolean> {
    return (await this.#statFile(name)) !== undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle?.close();
  }

  async #statFile(name: string): Promise<{ readonly mode: number } | undefined> {
    try {
      const stats = await lstat(this.entry(name));
      refuseUnlessFile(stats, name);
      return stats;
    } catch (thrown) {
      if (errorCode(thrown) === 'ENOENT') return undefined;
      throw thrown;
    }
  }

  async #child(name: string, create: boolean): Promise<Folder> {
    const open = () => this.#reach(this.entry(name), join(this.#path, name));
    try {
      return await open();
    } catch (thrown) {
      if (!create || errorCode(thrown) !== 'ENOENT') throw thrown;
    }
    try {
      await mkdir(this.entry(name));
    } catch (thrown) {
      // Created by somebody else just now; opening it shows what it is.
      if (errorCode(thrown) !== 'EEXIST') throw thrown;
    }
    return open();
  }

  #reach(way: string, path: string): Promise<Folder> {
    return Folder.#open({ root: this.#root, way, path, holds: this.#handle !== undefined });
  }

  /** `way` is how it is reached now, `path` is where it is. */
  static async #open({ root, way, path, holds }: Opening): Promise<Folder> {
    const handle = holds ? await openDirectory(way) : undefined;
    const stats = handle === undefined ? await lstat(way) : await handle.stat();
    const folder = new Folder(root, path, handle, identityOf(stats));
    try {
      if (!stats.isDirectory()) throw notAFolder(path, stats.isSymbolicLink());
      await folder.verify();
      return folder;
    } catch (thrown) {
      await handle?.close();
      throw thrown;
    }
  }

  /** Judges by where the opened thing really is, not by the path that led to it. */
  async #verify(handle: FileHandle | undefined, path: string, identity: string): Promise<void> {
    const isHeld = this.#handle !== undefined && handle !== undefined;
    const real = isHeld ? await readlink(`/proc/self/fd/${handle.fd}`) : await realpath(path);
    const isInside = real === this.#root || real.startsWith(`${this.#root}${sep}`);
    const isSame = isHeld || identityOf(await lstat(real)) === identity;
    if (!isInside || !isSame) throw new ParleyError('forbidden', 'The path leads out of the folder.');
  }
}

interface Opening {
  readonly root: string;
  readonly way: string;
  readonly path: string;
  readonly holds: boolean;
}

function refuseUnlessFile(
  stats: { isFile(): boolean; isDirectory(): boolean; isSymbolicLink(): boolean },
  name: string,
): void {
  if (stats.isFile()) return;
  if (stats.isDirectory()) throw new ParleyError('invalid', `"${name}" is a folder, not a file.`);
  if (stats.isSymbolicLink())
    throw new ParleyError('forbidden', `"${name}" is a link. Links are not followed.`);
  throw new ParleyError('forbidden', `"${name}" is not a regular file.`);
}

/** `/proc/self/fd/<n>` is itself a link, made by the kernel, and the only one that is followed. */
async function openDirectory(way: string): Promise<FileHandle> {
  const follow = /^\/proc\/self\/fd\/\d+$/.test(way) ? 0 : O_NOFOLLOW;
  try {
    return await open(way, O_RDONLY | O_DIRECTORY | follow);
  } catch (thrown) {
    if (errorCode(thrown) !== 'ENOTDIR' && errorCode(thrown) !== 'ELOOP') throw thrown;
    const isLink = (await lstat(way)).isSymbolicLink();
    throw notAFolder(way, isLink);
  }
}

function notAFolder(path: string, isLink: boolean): ParleyError {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (isLink) return new ParleyError('forbidden', `"${name}" is a link. Links are not followed.`);
  return new ParleyError('invalid', `"${name}" is not a folder.`);
}

function identityOf({ dev, ino }: { readonly dev: number; readonly ino: number }): string {
  return `${dev}:${ino}`;
}
