// Parses JSON that somebody else wrote.

/** Undefined when it is not JSON. */
export function parseJson(given: Uint8Array | string): unknown {
  try {
    return JSON.parse(typeof given === 'string' ? given : new TextDecoder().decode(given));
  } catch {
    return undefined;
  }
}
