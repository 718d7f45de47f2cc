// Challenges that a passkey signs. Each carries a proof that we made it, so none has to be remembered, and strangers who ask
// for many can't push out anybody else's. Each works once, for a few minutes, for one purpose.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { BoundedMap } from '../basics/bounded-map.ts';
import type { Clock } from '../domain/clock.ts';

const lifetimeMs = 5 * 60_000;
const timeBytes = 6;
const saltBytes = 16;
const headBytes = timeBytes + saltBytes;
/** Only challenges with a right answer are remembered, so only people with passkeys add to them. */
const maxUsed = 10_000;

export class Challenges {
  readonly #clock: Clock;
  readonly #key: Buffer;
  readonly #used = new BoundedMap<string, true>(maxUsed);

  /** Servers with the same key accept each other's challenges. */
  constructor(clock: Clock, key: Buffer) {
    this.#clock = clock;
    this.#key = key;
  }

  make(purpose: string): Buffer {
    const time = Buffer.alloc(timeBytes);
    time.writeUIntBE(this.#clock.now(), 0, timeBytes);
    const head = Buffer.concat([time, randomBytes(saltBytes)]);
    return Buffer.concat([head, this.#sign(head, purpose)]);
  }

  /** `challenge` is in base64url, as browsers return it. */
  isOpen(challenge: string, purpose: string): boolean {
    const bytes = Buffer.from(challenge, 'base64url');
    const head = bytes.subarray(0, headBytes);
    const signature = this.#sign(head, purpose);
    const given = bytes.subarray(headBytes);
    if (given.length !== signature.length || !timingSafeEqual(given, signature)) return false;
    const age = this.#clock.now() - head.readUIntBE(0, timeBytes);
    return age >= 0 && age < lifetimeMs && !this.#used.has(challenge);
  }

  /** Call it once the answer was right. False if somebody else was faster. */
  use(challenge: string): boolean {
    if (this.#used.has(challenge)) return false;
    this.#used.set(challenge, true);
    return true;
  }

  #sign(head: Buffer, purpose: string): Buffer {
    return createHmac('sha256', this.#key).update(head).update(purpose).digest();
  }
}
