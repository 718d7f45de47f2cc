// Finds top-level string fields of a JSON line without parsing it, so that irrelevant lines can be skipped quickly.
// Walks the structure, so it is correct for any key order and nesting; a prefix check would not be. Never throws: in a
// line that is not an object it finds nothing.

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/** Below this length a loop is faster than the native search for the closing quote. */
const SHORT_STRING = 64;

/** The top-level `type` of a JSON line, or undefined if it is missing or not a string. */
export function topLevelType(bytes: Buffer, start?: number, end?: number): string | undefined {
  return topLevelString(bytes, 'type', start, end);
}

/**
 * The value of a top-level field of the JSON line between two offsets; undefined if it is missing or not a string.
 * Stops at the key: if a key occurs twice, the first counts.
 */
export function topLevelString(
  bytes: Buffer,
  key: string,
  start = 0,
  end = bytes.length,
): string | undefined {
  let at = skipSpace(bytes, start, end);
  if (at >= end || bytes[at] !== OPEN_BRACE) return undefined;
  at = skipSpace(bytes, at + 1, end);

  while (at < end && bytes[at] === QUOTE) {
    const keyStart = at;
    let isEscaped = false;
    at += 1;
    while (at < end && bytes[at] !== QUOTE) {
      if (bytes[at] === BACKSLASH) {
        isEscaped = true;
        at += 1;
      }
      at += 1;
    }
    const isWanted = keyEquals(bytes, keyStart, at, key, isEscaped);
    at = skipSpace(bytes, at + 1, end);
    if (at >= end || bytes[at] !== COLON) return undefined;
    at = skipSpace(bytes, at + 1, end);
    const valueEnd = endOfValue(bytes, at, end);
    if (valueEnd === -1) return undefined;
    if (isWanted) return bytes[at] === QUOTE ? decodeString(bytes, at, valueEnd) : undefined;
    at = skipSpace(bytes, valueEnd, end);
    if (at >= end || bytes[at] !== COMMA) return undefined;
    at = skipSpace(bytes, at + 1, end);
  }
  return undefined;
}

/** The index after the JSON value that starts at `at`, or -1 if the line ends inside it. */
export function endOfValue(bytes: Buffer, at: number, end = bytes.length): number {
  const first = bytes[at];
  if (first === QUOTE) return endOfString(bytes, at, end);
  if (first === OPEN_BRACE || first === OPEN_BRACKET) return endOfNested(bytes, at, end);
  return endOfScalar(bytes, at, end);
}

function endOfNested(bytes: Buffer, from: number, end: number): number {
  let depth = 0;
  let at = from;
  while (at < end) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = endOfString(bytes, at, end);
      if (at === -1) return -1;
      continue;
    }
    at += 1;
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth += 1;
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return -1;
}

function endOfScalar(bytes: Buffer, from: number, end: number): number {
  let at = from;
  while (at < end) {
    const byte = bytes[at] as number;
    if (byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET || isSpace(byte)) break;
    at += 1;
  }
  return at === from || at === end ? -1 : at;
}

/** `from` is the opening quote. */
function endOfString(bytes: Buffer, from: number, end: number): number {
  let at = from + 1;
  for (;;) {
    const shortEnd = Math.min(at + SHORT_STRING, end);
    while (at < shortEnd) {
      const byte = bytes[at];
      if (byte === QUOTE) return at + 1;
      at += byte === BACKSLASH ? 2 : 1;
    }
    if (at >= end) return -1;

    const quote = bytes.indexOf(QUOTE, at);
    if (quote === -1 || quote >= end) return -1;
    let slashes = 0;
    while (quote - 1 - slashes >= at && bytes[quote - 1 - slashes] === BACKSLASH) slashes += 1;
    at = quote + 1;
    if (slashes % 2 === 0) return at;
  }
}

/** `start` and `end` are the quotes around the key. */
function keyEquals(bytes: Buffer, start: number, end: number, key: string, isEscaped: boolean): boolean {
  if (isEscaped) return decodeString(bytes, start, end + 1) === key;
  if (end - start - 1 !== key.length) return false;
  for (let i = 0; i < key.length; i += 1) if (bytes[start + 1 + i] !== key.charCodeAt(i)) return false;
  return true;
}

function decodeString(bytes: Buffer, start: number, end: number): string | undefined {
  if (!hasEscape(bytes, start, end)) return bytes.toString('utf8', start + 1, end - 1);
  try {
    return JSON.parse(bytes.toString('utf8', start, end)) as string;
  } catch {
    return undefined;
  }
}

function hasEscape(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if (bytes[at] === BACKSLASH) return true;
  return false;
}

function skipSpace(bytes: Buffer, from: number, end: number): number {
  let at = from;
  while (at < end && isSpace(bytes[at] as number)) at += 1;
  return at;
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}
