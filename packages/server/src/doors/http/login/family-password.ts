// Checks the family password with argon2, a few at a time, so that guessing can't exhaust the machine.
import { ParleyError } from '@parley/protocol';
import { Slots } from '../../../basics/slots.ts';
import type { Secret } from '../../../config/secret.ts';

/** Its argon2 hash, or the plain password from the configuration. */
export type PasswordSource = { readonly argon2: string } | { readonly password: Secret };

/** In characters. */
export const longestPassword = 1_024;

/** Each check takes about 20 MB and one thread. */
const atOnce = 2;
const mostWaiting = 20;

export class FamilyPassword {
  readonly #source: PasswordSource;
  readonly #storedHashes: () => Promise<readonly string[]>;
  readonly #slots = new Slots(atOnce);
  #hash: Promise<string> | undefined;

  /** `storedHashes`: the hashes that existing logins were made with. A password that matches one hasn't changed. */
  constructor(source: PasswordSource, storedHashes: () => Promise<readonly string[]>) {
    this.#source = source;
    this.#storedHashes = storedHashes;
  }

  /** The current hash. It stays the same across restarts for as long as the password does. */
  hash(): Promise<string> {
    this.#hash ??= this.#findHash().catch((error: unknown) => {
      this.#hash = undefined;
      throw error;
    });
    return this.#hash;
  }

  /** Throws `busy` when too many guesses are being checked already. */
  async matches(password: string): Promise<boolean> {
    return this.#verify(await this.hash(), password);
  }

  async #findHash(): Promise<string> {
    if ('argon2' in this.#source) return this.#source.argon2;
    const password = this.#source.password.reveal();
    for (const stored of await this.#storedHashes()) if (await this.#verify(stored, password)) return stored;
    return hashPassword(password);
  }

  async #verify(hash: string, password: string): Promise<boolean> {
    if (this.#slots.waiting >= mostWaiting) throw tooMany;
    await this.#slots.take();
    try {
      const { verify } = await import('@node-rs/argon2');
      return await verify(hash, normal(password));
    } finally {
      this.#slots.release();
    }
  }
}

const tooMany = new ParleyError('busy', 'Too many people are logging in. Try again in a moment.');

/** The argon2 hash that `matches` accepts. */
export async function hashPassword(password: string): Promise<string> {
  const { hash } = await import('@node-rs/argon2');
  return hash(normal(password));
}

/** Keyboards compose accented letters differently. */
function normal(password: string): string {
  return password.normalize('NFC');
}
