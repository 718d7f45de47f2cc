// An open folder below a root, such as a vault or a work folder. Names are looked up in the open folder one by one and
// links are never followed, so changes to the tree in the meantime can't lead elsewhere.
//
// Linux reaches the entries of an open folder as `/proc/self/fd/<n>/<name>`. On other systems, folders are known by path
// and identity, and each is checked again after use: that protects against existing links, but not against somebody who
// changes the tree at that very moment.
import { type BigIntStats, constants, existsSync } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readlink, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { ParleyError } from '@parley/protocol';
import { createFile, replaceFile } from '../basics/atomic-file.ts';
import { errorCode } from './file-errors.ts';

/** Whether this system can reach the entries of an open folder. */
export const canHoldFolders = existsSync('/proc/self/fd');

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = constants;

/** What a folder and everything below it must stay inside of. */
interface Bounds {
  /** A real path. */
  readonly root: string;
  /** Real paths below it that whoever opened it must not see. */
  readonly hidden: readonly string[];
}

export interface OpenOptions {
  readonly hidden?: readonly string[];
  /** Whether folders are held open while in use; by default wherever the system supports it. */
  readonly holds?: boolean | undefined;
}

/** What must be there for a write to succeed; otherwise it fails with `conflict`. */
export type ExpectedFile = 'anything' | 'nothing' | { readonly version: string };

export class Folder implements AsyncDisposable {
  readonly #bounds: Bounds;
  readonly #path: string;
  readonly #handle: FileHandle | undefined;
  readonly #identity: string;

  private constructor(bounds: Bounds, path: string, handle: FileHandle | undefined, identity: string) {
    this.#bounds = bounds;
    this.#path = path;
    this.#handle = handle;
    this.#identity = identity;
  }

  /** Opens a person's vault, and creates it first if necessary. */
  static async openVault(root: string, holds?: boolean): Promise<Folder> {
    await mkdir(root, { recursive: true, mode: 0o700 });
    return Folder.openRoot(await realpath(root), { holds });
  }

  /** Opens a folder by its real path. `forbidden` if a link is there by now. */
  static openRoot(root: string, { hidden = [], holds = canHoldFolders }: OpenOptions = {}): Promise<Folder> {
    return Folder.#open({ bounds: { root, hidden }, way: root, path: root, holds });
  }

  /** Where it is, without links. */
  get realPath(): string {
    return this.#path;
  }

  /** For calls that take a path. */
  get path(): string {
    return this.#handle === undefined ? this.#path : `/proc/self/fd/${this.#handle.fd}`;
  }

  /** The path of an entry. The name must come from a parsed path. A hidden entry throws as if it didn't exist. */
  entry(name: string): string {
    if (this.#bounds.hidden.includes(join(this.#path, name))) throw notThere();
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
  async writeFile(
    name: string,
    write: (file: FileHandle) => Promise<void>,
    expected: ExpectedFile = 'anything',
  ): Promise<boolean> {
    const old = await this.#statFile(name);
    const content = async (file: FileHandle) => {
      if (old !== undefined) await file.chmod(Number(old.mode) & 0o777);
      await write(file);
    };
    const beforeRename = async () => {
      await this.verify();
      const isVersion = expected !== 'anything' && expected !== 'nothing';
      if (isVersion && versionOf(await this.#statFile(name)) !== expected.version) throw changed(name);
    };
    const options = { mode: 0o666, beforeRename };
    if (expected !== 'nothing') await replaceFile(this.entry(name), content, options);
    else if (old !== undefined || !(await createFile(this.entry(name), content, options))) throw taken(name);
    return old === undefined;
  }

  /** Throws when something other than a file has the name. */
  async hasFile(name: string): Promise<boolean> {
    return (await this.#statFile(name)) !== undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle?.close();
  }

  async #statFile(name: string): Promise<BigIntStats | undefined> {
    try {
      const stats = await lstat(this.entry(name), { bigint: true });
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
    return Folder.#open({ bounds: this.#bounds, way, path, holds: this.#handle !== undefined });
  }

  /** `way` is how it is reached now, `path` is where it is. */
  static async #open({ bounds, way, path, holds }: Opening): Promise<Folder> {
    const handle = holds ? await openDirectory(way) : undefined;
    const stats = handle === undefined ? await lstat(way) : await handle.stat();
    const folder = new Folder(bounds, path, handle, identityOf(stats));
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
    const { root, hidden } = this.#bounds;
    if (hidden.some((one) => isWithin(real, one))) throw notThere();
    const isSame = isHeld || identityOf(await lstat(real)) === identity;
    if (!isWithin(real, root) || !isSame)
      throw new ParleyError('forbidden', 'The path leads outside the folder.');
  }
}

interface Opening {
  readonly bounds: Bounds;
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

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

/** Changes with every write. Both times, because programs can set one of them back. */
export function versionOf(stats: BigIntStats | undefined): string {
  if (stats === undefined) return 'none';
  const { ino, size, mtimeNs, ctimeNs } = stats;
  return [ino, size, mtimeNs, ctimeNs].map((number) => number.toString(36)).join('-');
}

function changed(name: string): ParleyError {
  return new ParleyError('conflict', `"${name}" has changed in the meantime. Nothing was saved.`);
}

function taken(name: string): ParleyError {
  return new ParleyError('conflict', `"${name}" already exists. Nothing was saved.`);
}

/** Hidden files look as if they didn't exist. */
function notThere(): Error {
  return Object.assign(new Error('hidden'), { code: 'ENOENT' });
}

function identityOf({ dev, ino }: { readonly dev: number; readonly ino: number }): string {
  return `${dev}:${ino}`;
}
