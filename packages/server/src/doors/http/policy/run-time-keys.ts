// API keys that people make while the server runs. All of them are in memory, because every request may present one.
import { randomBytes } from 'node:crypto';
import { ParleyError } from '@parley/protocol';
import { claudeCode } from '../../../domain/access.ts';
import type { ApiKey, ApiKeyStore } from '../../../domain/accounts.ts';
import type { Clock } from '../../../domain/clock.ts';
import type { Logger } from '../../../domain/logger.ts';
import type { People } from '../../../domain/people.ts';
import type { Caller, PresentedCredentials } from './credentials.ts';
import { hashSecret } from './secret-hash.ts';

export interface RunTimeKeysOptions {
  readonly store: ApiKeyStore;
  readonly people: Pick<People, 'account'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

export type NewApiKey = Pick<
  ApiKey,
  'label' | 'person' | 'assistants' | 'readOnly' | 'createdBy' | 'expiresAt'
>;

/** How often the last use is stored. People only want to know whether a key is still in use. */
const usedEveryMs = 5 * 60_000;
const longestTimerMs = 2 ** 31 - 1;

export class RunTimeKeys {
  readonly #options: RunTimeKeysOptions;
  readonly #listeners = new Set<() => void>();
  #byId = new Map<string, ApiKey>();
  #byHash = new Map<string, ApiKey>();
  #nextEnd: NodeJS.Timeout | undefined;

  constructor(options: RunTimeKeysOptions) {
    this.#options = options;
  }

  /** Call this at startup, and when another process may have changed the keys. */
  async load(): Promise<void> {
    const keys = await this.#options.store.list();
    this.#byId = new Map(keys.map((key) => [key.id, key]));
    this.#byHash = new Map(keys.map((key) => [key.sha256, key]));
    this.#changed();
  }

  /** Oldest first, including expired ones. */
  list(): readonly ApiKey[] {
    return [...this.#byId.values()];
  }

  find(id: string): ApiKey | undefined {
    return this.#byId.get(id);
  }

  /** Whether requests with this key are still accepted. */
  isValid(id: string): boolean {
    const key = this.#byId.get(id);
    return key !== undefined && this.#counts(key);
  }

  check({ apiKey }: PresentedCredentials): Caller | undefined {
    const key = apiKey === undefined ? undefined : this.#byHash.get(hashSecret(apiKey));
    if (!key || !this.#counts(key)) return undefined;
    this.#noteUse(key);
    const { id, label, person, assistants, readOnly } = key;
    const isLimited = assistants !== undefined || readOnly;
    return {
      label,
      person,
      key: id,
      ...(isLimited && { scope: { readOnly, ...(assistants && { assistants }) } }),
    };
  }

  /**
   * `assistants` are the names of all assistants. Rejects with `invalid` if the key could not be used, `conflict` if
   * the person has too many.
   */
  async create(
    wanted: NewApiKey,
    assistants: readonly string[] = [],
  ): Promise<{ readonly key: ApiKey; readonly secret: string }> {
    this.#checkNew(wanted, [...assistants, claudeCode]);
    const made = makeApiKey(wanted, this.#options.clock.now());
    await this.#options.store.add(made.key);
    await this.load();
    return made;
  }

  /** False if there is no such key. */
  async revoke(id: string): Promise<boolean> {
    const isRemoved = await this.#options.store.remove(id);
    await this.load();
    return isRemoved;
  }

  /** Calls the listener when keys may have expired or been revoked. Returns a function that stops listening. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    clearTimeout(this.#nextEnd);
  }

  #checkNew({ person, assistants = [], expiresAt }: NewApiKey, known: readonly string[]): void {
    if (assistants.some((name) => !known.includes(name)))
      throw new ParleyError('invalid', `There is no such assistant here. Choose from: ${known.join(', ')}.`);
    if (expiresAt !== undefined && expiresAt <= this.#options.clock.now())
      throw new ParleyError('invalid', 'The expiry date must be in the future.');
    if (this.list().filter((key) => key.person === person).length >= maxKeys) throw tooMany;
  }

  /** Before the person had an account, others could make keys for them. Those no longer count. */
  #counts({ expiresAt = Number.POSITIVE_INFINITY, createdAt, createdBy, person }: ApiKey): boolean {
    const account = this.#options.people.account(person);
    const isTheirs = account === undefined || createdBy === undefined || createdAt >= account.createdAt;
    return isTheirs && expiresAt > this.#options.clock.now();
  }

  #noteUse(key: ApiKey): void {
    const now = this.#options.clock.now();
    if (now - (key.lastUsedAt ?? 0) < usedEveryMs) return;
    const used = { ...key, lastUsedAt: now };
    this.#byId.set(key.id, used);
    this.#byHash.set(key.sha256, used);
    this.#options.store
      .used(key.id, now)
      .catch((error: unknown) =>
        this.#options.logger.warn({ err: error }, 'failed to store when an API key was used'),
      );
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
    clearTimeout(this.#nextEnd);
    const now = this.#options.clock.now();
    const ends = this.list().flatMap(({ expiresAt = 0 }) => (expiresAt > now ? [expiresAt] : []));
    if (ends.length === 0) return;
    const wait = Math.min(Math.min(...ends) - now, longestTimerMs);
    this.#nextEnd = setTimeout(() => this.#changed(), wait).unref();
  }
}

/** More than anybody needs, and few enough to keep in memory. */
const maxKeys = 100;
const tooMany = new ParleyError(
  'conflict',
  `One person can have at most ${maxKeys} keys. Revoke some first.`,
);

/** Only the hash of the secret is in the key. */
function makeApiKey(wanted: NewApiKey, now: number): { readonly key: ApiKey; readonly secret: string } {
  const secret = `pk_${randomBytes(32).toString('base64url')}`;
  // People type it, and a command line would read a leading hyphen as a flag.
  const id = randomBytes(9).toString('hex');
  return { secret, key: { ...wanted, id, sha256: hashSecret(secret), createdAt: now } };
}
