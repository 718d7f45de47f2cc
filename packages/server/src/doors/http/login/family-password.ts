// The family password: checked by argon2, a few at a time, so that guesses cannot use up the machine.
import { ParleyError } from '@parley/protocol';
import type { Secret } from '../../../config/secret.ts';

/** As its argon2 hash, or as it was configured. */
export type PasswordSource = { readonly argon2: string } | { readonly password: Secret };

/** In characters. */
export const longestPassword = 1_024;

/** Each takes some 20 MB and one thread. */
const atOnce = 2;
const mostWaiting = 20;

export class FamilyPassword {
  readonly #source: PasswordSource;
  readonly #keptHashes: () => Promise<readonly string[]>;
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #hash: Promise<string> | undefined;

  /** `keptHashes` are those under which logins were made: a password that fits one of them has not changed. */
  constructor(source: PasswordSource, keptHashes: () => Promise<readonly string[]>) {
    this.#source = source;
    this.#keptHashes = keptHashes;
  }

  /** The hash in force. It stays the same for as long as the password does, across restarts. */
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
    for (const kept of await this.#keptHashes()) if (await this.#verify(kept, password)) return kept;
    return hashPassword(password);
  }

  async #verify(hash: string, password: string): Promise<boolean> {
    await this.#enter();
    try {
      const { verify } = await import('@node-rs/argon2');
      return await verify(hash, normal(password));
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }

  /** Whoever leaves hands their place to the next one. */
  async #enter(): Promise<void> {
    if (this.#running < atOnce) {
      this.#running += 1;
      return;
    }
    if (this.#waiting.length >= mostWaiting) {
      throw new ParleyError('busy', 'Too many people are logging in. Try again in a moment.');
    }
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}

/** Its argon2 hash, as a login checks it. */
export async function hashPassword(password: string): Promise<string> {
  const { hash } = await import('@node-rs/argon2');
  return hash(normal(password));
}

/** Keyboards differ in how they compose letters. */
function normal(password: string): string {
  return password.normalize('NFC');
}
