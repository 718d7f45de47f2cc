// The family password, as configured or as created on the first start.
import type { Secret } from '../../../config/secret.ts';
import type { PasswordHashes } from '../../../domain/password-hashes.ts';

/** Its argon2 hash, or the plain password from the configuration. */
export type PasswordSource = { readonly argon2: string } | { readonly password: Secret };

export class FamilyPassword {
  readonly #source: PasswordSource;
  readonly #hashes: PasswordHashes;
  readonly #storedHashes: () => Promise<readonly string[]>;
  #hash: Promise<string> | undefined;

  /** `storedHashes`: the hashes that existing logins were made with. A password that matches one hasn't changed. */
  constructor(
    source: PasswordSource,
    hashes: PasswordHashes,
    storedHashes: () => Promise<readonly string[]>,
  ) {
    this.#source = source;
    this.#hashes = hashes;
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
    return this.#hashes.matches(await this.hash(), password);
  }

  async #findHash(): Promise<string> {
    if ('argon2' in this.#source) return this.#source.argon2;
    const password = this.#source.password.reveal();
    for (const stored of await this.#storedHashes()) {
      if (await this.#hashes.matches(stored, password)) return stored;
    }
    return this.#hashes.hash(password);
  }
}
