// Promises that a caller doesn't have to await. When a session ends, its pending calls reject, and that must not crash
// the host with an unhandled rejection.

/** Lets a promise reject without a handler. If an async function returns it, that is another promise: wrap it again. */
export function abandonable<Promised extends Promise<unknown>>(promise: Promised): Promised {
  promise.catch(() => undefined);
  return promise;
}

/** Returns the promise of `work` itself, unlike an async function, or a rejected one if it throws. */
export function attempt<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return work();
  } catch (error) {
    return Promise.reject(error);
  }
}
