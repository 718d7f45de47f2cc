// Finds top-level string fields of a JSON line without parsing it, so that lines of no interest can be passed
// over at the speed of a scan. Walks the structure, so it is right for any key order and any nesting; a
// prefix check would not be. Never throws: on a line that is no object it finds nothing.

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/** Below this length a loop beats the call into native code that finds the closing quote. */
const SHORT_STRING = 64;

const TYPE_KEY = ['type'] as const;

/** The top-level `type` of a JSON line, or undefined when there is none or it is no string. */
export function topLevelType(line: Buffer): string | undefined {
  return topLevelStrings(line, TYPE_KEY)[0];
}

/**
 * The values of the named top-level fields, in the order of `keys`; undefined for a field that is missing or
 * no string. Stops as soon as all were seen. Where a key occurs twice the first wins.
 */
export function topLevelStrings(line: Buffer, keys: readonly string[]): (string | undefined)[] {
  const found: (string | undefined)[] = keys.map(() => undefined);
  const seen = keys.map(() => false);
  let missing = keys.length;

  let at = skipSpace(line, 0);
  if (line[at] !== OPEN_BRACE) return found;
  at = skipSpace(line, at + 1);

  while (missing > 0 && line[at] === QUOTE) {
    const keyEnd = endOfString(line, at);
    if (keyEnd === -1) return found;
    const index = indexOfKey(line, at, keyEnd, keys);
    at = skipSpace(line, keyEnd);
    if (line[at] !== COLON) return found;
    at = skipSpace(line, at + 1);
    const valueEnd = endOfValue(line, at);
    if (valueEnd === -1) return found;
    if (index !== -1 && !seen[index]) {
      seen[index] = true;
      missing -= 1;
      if (line[at] === QUOTE) found[index] = decodeString(line, at, valueEnd);
    }
    at = skipSpace(line, valueEnd);
    if (line[at] !== COMMA) return found;
    at = skipSpace(line, at + 1);
  }
  return found;
}

/** The index behind the JSON value that starts at `at`, or -1 when the line ends inside it. */
export function endOfValue(line: Buffer, at: number): number {
  const first = line[at];
  if (first === QUOTE) return endOfString(line, at);
  if (first === OPEN_BRACE || first === OPEN_BRACKET) return endOfNested(line, at);
  return endOfScalar(line, at);
}

function endOfNested(line: Buffer, from: number): number {
  let depth = 0;
  let at = from;
  while (at < line.length) {
    const byte = line[at];
    if (byte === QUOTE) {
      at = endOfString(line, at);
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

function endOfScalar(line: Buffer, from: number): number {
  let at = from;
  while (at < line.length) {
    const byte = line[at] as number;
    if (byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET || isSpace(byte)) break;
    at += 1;
  }
  return at === from || at === line.length ? -1 : at;
}

/** `from` is the opening quote. */
function endOfString(line: Buffer, from: number): number {
  let at = from + 1;
  for (;;) {
    const shortEnd = Math.min(at + SHORT_STRING, line.length);
    while (at < shortEnd) {
      const byte = line[at];
      if (byte === QUOTE) return at + 1;
      at += byte === BACKSLASH ? 2 : 1;
    }
    if (at >= line.length) return -1;

    const quote = line.indexOf(QUOTE, at);
    if (quote === -1) return -1;
    let slashes = 0;
    while (quote - 1 - slashes >= at && line[quote - 1 - slashes] === BACKSLASH) slashes += 1;
    at = quote + 1;
    if (slashes % 2 === 0) return at;
  }
}

function indexOfKey(line: Buffer, start: number, end: number, keys: readonly string[]): number {
  for (let index = 0; index < keys.length; index += 1) {
    if (keyEquals(line, start, end, keys[index] as string)) return index;
  }
  return -1;
}

function keyEquals(line: Buffer, start: number, end: number, key: string): boolean {
  if (end - start - 2 === key.length) {
    let same = true;
    for (let i = 0; same && i < key.length; i += 1) same = line[start + 1 + i] === key.charCodeAt(i);
    if (same) return true;
  }
  return hasEscape(line, start, end) && decodeString(line, start, end) === key;
}

function decodeString(line: Buffer, start: number, end: number): string | undefined {
  if (!hasEscape(line, start, end)) return line.toString('utf8', start + 1, end - 1);
  try {
    return JSON.parse(line.toString('utf8', start, end)) as string;
  } catch {
    return undefined;
  }
}

function hasEscape(line: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if (line[at] === BACKSLASH) return true;
  return false;
}

function skipSpace(line: Buffer, from: number): number {
  let at = from;
  while (at < line.length && isSpace(line[at] as number)) at += 1;
  return at;
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}
