// Sends messages to push services: a few at once, one at a time to each device, with bounded retries. Devices that are
// gone are forgotten.
import { createHash } from 'node:crypto';
import { ParleyError, type PushKind } from '@parley/protocol';
import { backoffMs, pause, withJitter } from '../basics/backoff.ts';
import { Slots } from '../basics/slots.ts';
import { retryAfterMs } from '../content/waiting-time.ts';
import type { Clock } from '../domain/clock.ts';
import type { SendHttp } from '../domain/http.ts';
import type { Logger } from '../domain/logger.ts';
import type { PushDevice, PushStore } from '../domain/push.ts';
import { authorization, encrypt, type ServerKey } from './encryption.ts';

export interface DeliveryParts {
  readonly store: Pick<PushStore, 'remove'>;
  /** Guards against addresses inside our own network. */
  readonly http: SendHttp;
  readonly key: ServerKey;
  /** How the operators of a push service can reach somebody. */
  readonly contact: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface PushJob {
  readonly kind: PushKind;
  /** A later one with the same topic replaces one that was not delivered yet. */
  readonly topic: string;
  readonly message: string;
}

const attempts = 4;
const retries = { firstMs: 1_000, longestMs: 30_000 };
/** Waits no longer than this, even if a push service asks for more. */
const longestWaitMs = 60_000;
const atOnce = 8;
/** How many topics may wait for one device. The oldest are dropped: they are notifications, not a record. */
const maxTopics = 20;
const hour = 3_600;
/** How long a push service tries to reach a device that is switched off. */
const lifetimes: Readonly<Record<PushKind, number>> = {
  'needs-you': hour,
  done: 12 * hour,
  failed: 12 * hour,
  mention: 24 * hour,
};

export class Delivery {
  readonly #parts: DeliveryParts;
  readonly #slots = new Slots(atOnce);
  readonly #closing = new AbortController();
  /** What waits for each device, by topic. */
  readonly #lines = new Map<string, Map<string, PushJob>>();

  constructor(parts: DeliveryParts) {
    this.#parts = parts;
  }

  /** Resolves when it is delivered or given up; at once if another one is on its way to the device. */
  async send(device: PushDevice, job: PushJob): Promise<void> {
    const line = this.#lines.get(device.id);
    if (line) return wait(line, job);
    const next = new Map([[job.topic, job]]);
    this.#lines.set(device.id, next);
    try {
      for (const [topic, one] of next) {
        next.delete(topic);
        await this.#deliver(device, one);
      }
    } finally {
      this.#lines.delete(device.id);
    }
  }

  async #deliver(device: PushDevice, job: PushJob): Promise<void> {
    const { signal } = this.#closing;
    for (let attempt = 1; attempt <= attempts && !signal.aborted; attempt += 1) {
      if (!(await this.#slots.take({ signal }))) return;
      const waitMs = await this.#attempt(device, job, attempt).finally(() => this.#slots.release());
      if (waitMs === undefined) return;
      if (attempt === attempts || !(await pause(waitMs, signal))) break;
    }
    this.#parts.logger.warn({ service: new URL(device.endpoint).host }, 'a notification was not delivered');
  }

  close(): void {
    this.#closing.abort();
  }

  /** How long to wait before the next attempt; undefined if there is nothing more to do. */
  async #attempt(device: PushDevice, job: PushJob, attempt: number): Promise<number | undefined> {
    const { store, http, clock, logger } = this.#parts;
    const backoff = withJitter(backoffMs(attempt, retries), Math.random);
    try {
      const { status, headers } = await http({
        url: device.endpoint,
        method: 'POST',
        headers: headersFor(device, job, this.#parts),
        bytes: encrypt(job.message, device),
        signal: this.#closing.signal,
      });
      if (status < 300) return undefined;
      if (status === 404 || status === 410) {
        await store.remove(device.id);
        return undefined;
      }
      if (status === 429 || status >= 500)
        return Math.min(retryAfterMs(headers.get('retry-after'), clock.now()) ?? backoff, longestWaitMs);
      logger.warn(
        { status, service: new URL(device.endpoint).host },
        'a push service refused a notification',
      );
      return undefined;
    } catch (thrown) {
      if (this.#closing.signal.aborted) return undefined;
      if (ParleyError.from(thrown).code === 'unavailable') return backoff;
      // The guard refuses the address, and always will.
      logger.warn({ err: thrown, person: device.person }, 'a device was removed');
      await store.remove(device.id);
      return undefined;
    }
  }
}

function wait(line: Map<string, PushJob>, job: PushJob): void {
  line.delete(job.topic);
  line.set(job.topic, job);
  const [oldest] = line.keys();
  if (line.size > maxTopics && oldest !== undefined) line.delete(oldest);
}

function headersFor(
  { endpoint }: PushDevice,
  { kind, topic }: PushJob,
  { key, contact, clock }: DeliveryParts,
): Record<string, string> {
  return {
    authorization: authorization(key, { origin: new URL(endpoint).origin, contact, now: clock.now() }),
    'content-encoding': 'aes128gcm',
    'content-type': 'application/octet-stream',
    ttl: String(lifetimes[kind]),
    urgency: kind === 'needs-you' ? 'high' : 'normal',
    // 32 characters at most, and no hint of what it is about.
    topic: createHash('sha256').update(topic).digest('base64url').slice(0, 32),
  };
}
