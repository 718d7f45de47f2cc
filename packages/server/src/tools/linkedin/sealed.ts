// Small secrets, encrypted with AES-256-GCM. A single server keeps them in files, with a key next to them that only
// this user can read: this keeps tokens out of backups of single files, greps and screenshots; it does not hide them
// from the user. Several servers keep them in their database, with a key that they derive from their shared secret.
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ParleyError } from '@parley/protocol';
import { createFile, replaceFile } from '../../basics/atomic-file.ts';
import { seal, unseal } from '../../basics/seal.ts';
import type { SealedStore } from '../../domain/sealed.ts';

const keyBytes = 32;

export class Sealed {
  readonly #places: SealedStore;

  constructor(places: SealedStore) {
    this.#places = places;
  }

  async write(name: string, text: string): Promise<void> {
    await this.#places.write(name, seal(await this.#places.key(), text, name));
  }

  /** Undefined if there is none. */
  async read(name: string): Promise<string | undefined> {
    const bytes = await this.#places.read(name);
    if (bytes === undefined) return undefined;
    try {
      return unseal(await this.#places.key(), bytes, name);
    } catch (cause) {
      throw new ParleyError(
        'unavailable',
        'The stored LinkedIn login cannot be opened. Connect LinkedIn again.',
        {
          cause,
        },
      );
    }
  }

  async remove(name: string): Promise<void> {
    await this.#places.remove(name);
  }

  /** Encrypts a text that somebody else keeps for us, so that they can't read or change it. */
  async wrap(text: string): Promise<string> {
    return seal(await this.#places.key(), text, wrapped).toString('base64url');
  }

  /** Undefined if it isn't one of ours. */
  async unwrap(text: string): Promise<string | undefined> {
    try {
      return unseal(await this.#places.key(), Buffer.from(text, 'base64url'), wrapped);
    } catch {
      return undefined;
    }
  }
}

/** Can't be the name of a person. */
const wrapped = ' wrapped';

/** One file for each name. */
export function sealedFiles(folder: string): SealedStore {
  const path = (name: string) => join(folder, `${name}.sealed`);
  const places: SealedStore = {
    async write(name, bytes) {
      await replaceFile(path(name), bytes);
    },
    read: (name) => readIfThere(path(name)),
    remove: (name) => rm(path(name), { force: true }),
    /** Created on first use. Two callers at the same time end up with the same key. */
    async key() {
      const file = join(folder, 'key');
      const found = await readIfThere(file);
      if (found?.length === keyBytes) return found;
      if (found !== undefined) throw new Error(`${file} is not a key`);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await createFile(file, randomBytes(keyBytes));
      return places.key();
    },
  };
  return places;
}

async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
