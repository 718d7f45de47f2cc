// Notices what other processes change in the database: the command line manages people and keys while the server runs.
import type { Logger } from '../domain/logger.ts';

export interface OutsideChangesOptions {
  readonly store: { dataVersion(): number };
  /** Reads again what other processes may have changed. */
  readonly reload: () => Promise<void>;
  readonly logger: Logger;
}

const everyMs = 1_000;

export function watchOutsideChanges({ store, reload, logger }: OutsideChangesOptions) {
  let seen = store.dataVersion();
  let reloading = Promise.resolve();
  const look = () => {
    try {
      const version = store.dataVersion();
      if (version === seen) return;
      seen = version;
      reloading = reload();
    } catch (error) {
      reloading = Promise.reject(error);
    }
    reloading = reloading.catch((error: unknown) => {
      // Tries again, so that somebody who was removed does not stay because of one failure.
      seen = -1;
      logger.error({ err: error }, 'could not read the accounts again');
    });
  };
  const timer = setInterval(look, everyMs).unref();
  return {
    async close() {
      clearInterval(timer);
      await reloading;
    },
  };
}
