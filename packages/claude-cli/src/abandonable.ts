// Promises that a caller may leave alone. Ending a session rejects what it was waiting for; a caller that ends it without
// waiting for that must not crash its host with an unhandled rejection.

/** This promise may reject unhandled. An async function wraps it in another promise, which needs the same. */
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
