// Builds everything about people: who is here, their accounts and API keys, what they share, and the audit log.
import { randomUUID } from 'node:crypto';
import type { PersonName } from '@parley/protocol';
import { createAccounts } from '../accounts/accounts.ts';
import { createPasswordHashes } from '../accounts/password-hashes.ts';
import { createStrengthCheck } from '../accounts/password-strength.ts';
import { createAccess } from '../domain/access.ts';
import { createAuditLog } from '../domain/audit-log.ts';
import { systemClock } from '../domain/clock.ts';
import type { Logger } from '../domain/logger.ts';
import { createPeople } from '../domain/people.ts';
import { createShares } from '../domain/shares.ts';
import { RunTimeKeys } from '../doors/http/policy/run-time-keys.ts';
import type { SqlStore } from '../stores/sql/store.ts';

export interface PeopleSetup {
  readonly configured: readonly PersonName[];
  /** Has the sessions, and so also their shares. */
  readonly store: SqlStore;
  /** Has the accounts, keys and audit log, which survive a restart even if sessions don't. */
  readonly durable: SqlStore;
  readonly logger: Logger;
}

export type PeopleParts = Awaited<ReturnType<typeof openPeople>>;

const checkEveryMs = 1_000;

export async function openPeople({ configured, store, durable, logger }: PeopleSetup) {
  const { reload, ...parts } = await openAccounts(configured, durable, logger);
  const { people, keys } = parts;
  const listeners: (() => Promise<void> | undefined)[] = [];
  const shares = createShares(store.shares, systemClock);
  await shares.load();
  const watch = await watchForChanges(durable, logger, async () => {
    await reload();
    await shares.load();
    for (const listener of listeners) await listener();
  });
  return {
    ...parts,
    shares,
    access: createAccess(people, shares),
    isShared: () => people.list().length > 1,
    /** Calls the listener when another server or the command line has changed rights, a budget or a setting. */
    onChangeElsewhere: (listener: () => Promise<void> | undefined) => void listeners.push(listener),
    async close() {
      await watch.close();
      await keys.close();
    },
  };
}

/** What the server and the command line need to manage accounts. */
export async function openAccounts(configured: readonly PersonName[], store: SqlStore, logger: Logger) {
  const people = createPeople(configured);
  const keys = new RunTimeKeys({ store: store.apiKeys, people, clock: systemClock, logger });
  const reload = async () => {
    // Keys first: once the account is gone, those that were removed with it would count again.
    await keys.load();
    people.update({ accounts: await store.accounts.list() });
  };
  await reload();
  const audit = createAuditLog({ store: store.audit, clock: systemClock, logger });
  const passwords = createPasswordHashes();
  const accounts = createAccounts({
    store: store.accounts,
    people,
    reload,
    passwords,
    checkStrength: createStrengthCheck(),
    audit,
    clock: systemClock,
    newId: randomUUID,
  });
  return { people, keys, reload, audit, passwords, accounts };
}

/** Calls `reload` after another process has changed the database, such as `parley people`. */
async function watchForChanges(store: SqlStore, logger: Logger, reload: () => Promise<void>) {
  let seen = await store.dataVersion();
  let reloading = Promise.resolve();
  const check = async () => {
    try {
      const version = await store.dataVersion();
      if (version === seen) return;
      seen = version;
      await reload();
    } catch (error) {
      // Retries, because one failure must not keep somebody in who was removed.
      seen = -1;
      logger.error({ err: error }, 'could not reload accounts and keys');
    }
  };
  const timer = setInterval(() => {
    reloading = reloading.then(check);
  }, checkEveryMs).unref();
  return {
    async close() {
      clearInterval(timer);
      await reloading;
    },
  };
}
