// Small secrets on disk, one file per name, encrypted with AES-256-GCM and a key in the same folder that only this user can
// read. This keeps tokens out of backups of single files, greps and screenshots; it does not hide them from the user.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ParleyError } from '@parley/protocol';
import { createFile, replaceFile } from '../../basics/atomic-file.ts';

const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;
const keyBytes = 32;

export class SealedFiles {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async write(name: string, text: string): Promise<void> {
    const key = await this.#key();
    const iv = randomBytes(ivBytes);
    // The name is authenticated too: a renamed file doesn't open for somebody else.
    const cipher = createCipheriv(algorithm, key, iv).setAAD(Buffer.from(name));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    await replaceFile(this.#path(name), Buffer.concat([iv, cipher.getAuthTag(), sealed]));
  }

  /** Undefined when there is none. */
  async read(name: string): Promise<string | undefined> {
    const bytes = await readIfThere(this.#path(name));
    if (bytes === undefined) return undefined;
    const key = await this.#key();
    try {
      const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, ivBytes))
        .setAAD(Buffer.from(name))
        .setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
      return decipher.update(bytes.subarray(ivBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8');
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
    await rm(this.#path(name), { force: true });
  }

  #path(name: string): string {
    return join(this.#folder, `${name}.sealed`);
  }

  /** Created on first use. Two callers at the same time end up with the same key. */
  async #key(): Promise<Buffer> {
    const file = join(this.#folder, 'key');
    const found = await readIfThere(file);
    if (found?.length === keyBytes) return found;
    if (found !== undefined) throw new Error(`${file} is not a key`);
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await createFile(file, randomBytes(keyBytes));
    return this.#key();
  }
}

async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
