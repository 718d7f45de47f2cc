// Promises that a caller doesn't have to await. Ending a session rejects what it was waiting for, and that must not crash
// the host with an unhandled rejection.

/** Lets a promise reject without a handler. An async function returns another promise, which needs the same. */
export function abandonable<Promised extends Promise<unknown>>(promise: Promised): Promised {
  promise.catch(() => undefined);
  return promise;
}

/** Returns the promise of `work` itself, or a rejected one if it throws. */
export function calling<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return work();
  } catch (error) {
    return Promise.reject(error);
  }
}
