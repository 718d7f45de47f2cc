// Writes and reads tar archives piece by piece. Supports regular files only, with long names and large sizes as POSIX
// (pax) defines them, so other programs can read what it writes.
const blockBytes = 512;
const largestOctal = 8 ** 11 - 1;
const maxPaxBytes = 64 * 1024;

export interface TarFile {
  readonly path: string;
  readonly size: number;
  readonly mode: number;
  /** Milliseconds since 1970; archives keep whole seconds. */
  readonly modifiedAt: number;
}

export interface ReadFile extends TarFile {
  /** What is not read is skipped. */
  readonly content: AsyncIterable<Uint8Array>;
}

/** What comes before the content of a file. */
export function tarHeader(file: TarFile): Buffer {
  const isLong = Buffer.byteLength(file.path) > 100 || file.size > largestOctal;
  if (!isLong) return header(file, '0');
  const records = Buffer.from(paxRecord('path', file.path) + paxRecord('size', String(file.size)));
  return Buffer.concat([
    header({ ...file, path: 'pax', size: records.length }, 'x'),
    records,
    tarPadding(records.length),
    header({ ...file, path: 'long-name', size: Math.min(file.size, largestOctal) }, '0'),
  ]);
}

/** What comes after the content: files start at whole blocks. */
export function tarPadding(size: number): Buffer {
  return Buffer.alloc((blockBytes - (size % blockBytes)) % blockBytes);
}

export const tarEnd = Buffer.alloc(2 * blockBytes);

/** Throws a `TarError` if this is not an archive, or if it ends too early. */
export async function* readTar(source: AsyncIterable<Uint8Array>): AsyncGenerator<ReadFile> {
  const bytes = new Bytes(source);
  let long: { path?: string; size?: number } = {};
  for (;;) {
    const block = await bytes.exactly(blockBytes);
    if (block.every((byte) => byte === 0)) return;
    const entry = parseHeader(block);
    if (entry.type === 'x') {
      if (entry.size > maxPaxBytes) throw new TarError('An entry of the archive has too many attributes.');
      long = parsePax(await bytes.exactly(entry.size));
      await bytes.exactly(tarPadding(entry.size).length);
      continue;
    }
    if (entry.type !== '0' && entry.type !== '\0')
      throw new TarError(`The archive has an entry that is not a regular file: ${entry.path}`);
    const { path = entry.path, size = entry.size } = long;
    long = {};
    const content = bytes.next(size);
    yield { path, size, mode: entry.mode, modifiedAt: entry.modifiedAt, content };
    for await (const _skipped of content);
    await bytes.exactly(tarPadding(size).length);
  }
}

export class TarError extends Error {
  override readonly name = 'TarError';
}

function header({ path, size, mode, modifiedAt }: TarFile, type: string): Buffer {
  const block = Buffer.alloc(blockBytes);
  block.write(path, 0, 100);
  block.write(octal(mode & 0o777, 7), 100);
  block.write(octal(0, 7), 108);
  block.write(octal(0, 7), 116);
  block.write(octal(size, 11), 124);
  block.write(octal(Math.max(0, Math.floor(modifiedAt / 1_000)), 11), 136);
  block.write(' '.repeat(8), 148);
  block.write(type, 156);
  block.write('ustar\u000000', 257);
  block.write(`${octal(checksum(block), 6)}\0 `, 148);
  return block;
}

function parseHeader(block: Buffer): TarFile & { readonly type: string } {
  const found = readOctal(block, 148, 8);
  const blank = Buffer.from(block).fill(' ', 148, 156);
  if (found !== checksum(blank)) throw new TarError('This is not an archive, or it is damaged.');
  const prefix = text(block, 345, 155);
  const name = text(block, 0, 100);
  return {
    path: prefix === '' ? name : `${prefix}/${name}`,
    mode: readOctal(block, 100, 8),
    size: readOctal(block, 124, 12),
    modifiedAt: readOctal(block, 136, 12) * 1_000,
    type: String.fromCharCode(block[156] ?? 0),
  };
}

/** A record starts with its own length, which counts the digits of the length, too. */
function paxRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  const bytes = Buffer.byteLength(rest);
  let length = bytes + String(bytes).length;
  if (bytes + String(length).length !== length) length = bytes + String(length).length;
  return length + rest;
}

function parsePax(records: Buffer): { path?: string; size?: number } {
  const found: { path?: string; size?: number } = {};
  for (let at = 0; at < records.length; ) {
    const space = records.indexOf(' ', at);
    const length = Number(records.toString('latin1', at, space));
    if (space < 0 || !Number.isInteger(length) || length <= 0) throw new TarError('The archive is damaged.');
    const record = records.toString('utf8', space + 1, at + length - 1);
    const [, key, value = ''] = /^([^=]*)=(.*)$/s.exec(record) ?? [];
    if (key === 'path') found.path = value;
    if (key === 'size') found.size = sizeIn(value, 10);
    at += length;
  }
  return found;
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0');
}

function readOctal(block: Buffer, at: number, length: number): number {
  return sizeIn(text(block, at, length).trim() || '0', 8);
}

function sizeIn(digits: string, radix: 8 | 10): number {
  const value = /^\d+$/.test(digits) ? Number.parseInt(digits, radix) : Number.NaN;
  if (!Number.isSafeInteger(value)) throw new TarError('The archive is damaged.');
  return value;
}

function text(block: Buffer, at: number, length: number): string {
  const field = block.subarray(at, at + length);
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end < 0 ? length : end);
}

function checksum(block: Buffer): number {
  return block.reduce((sum, byte) => sum + byte, 0);
}

/** Reads exactly as much from a stream as is needed. */
class Bytes {
  readonly #source: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array(0);

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  async exactly(size: number): Promise<Buffer> {
    const pieces: Uint8Array[] = [];
    for await (const piece of this.next(size)) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  /** Continues where a reader that stopped early left off. */
  next(size: number): AsyncIterable<Uint8Array> {
    let left = size;
    const take = async (): Promise<IteratorResult<Uint8Array>> => {
      if (left === 0) return { done: true, value: undefined };
      if (this.#rest.length === 0) {
        const { done, value } = await this.#source.next();
        if (done) throw new TarError('The archive ends too early.');
        this.#rest = value;
      }
      const piece = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(piece.length);
      left -= piece.length;
      return { done: false, value: piece };
    };
    return { [Symbol.asyncIterator]: () => ({ next: take }) };
  }
}
