// Hashes and checks passwords with argon2, a few at a time, so that guessing can't exhaust the machine.
import type * as argon2 from '@node-rs/argon2';
import { ParleyError } from '@parley/protocol';
import { Slots } from '../basics/slots.ts';
import type { PasswordHashes } from '../domain/password-hashes.ts';

/** Each takes about 20 MB and one thread. */
const atOnce = 2;
const maxWaiting = 20;

export function createPasswordHashes(): PasswordHashes {
  const slots = new Slots(atOnce);
  const inTurn = async <T>(work: (library: typeof argon2) => Promise<T>): Promise<T> => {
    if (slots.waiting >= maxWaiting) throw tooMany;
    await slots.take();
    try {
      return await work(await import('@node-rs/argon2'));
    } finally {
      slots.release();
    }
  };
  return {
    hash: (password) => inTurn((library) => library.hash(normal(password))),
    matches: (hash, password) => inTurn((library) => library.verify(hash, normal(password))),
  };
}

const tooMany = new ParleyError('busy', 'Too many people are logging in. Try again in a moment.');

/** Keyboards compose accented letters differently. */
function normal(password: string): string {
  return password.normalize('NFC');
}
