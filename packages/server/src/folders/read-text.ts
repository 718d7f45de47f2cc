// Reads a part of a text file, cut between characters, and refuses files that are not text.
import type { FileHandle } from 'node:fs/promises';
import { ParleyError, say } from '@parley/protocol';

export interface TextPart {
  readonly text: string;
  readonly size: number;
  /** Where the part starts and ends, in bytes. */
  readonly start: number;
  readonly end: number;
}

interface Wanted {
  readonly offset: number;
  readonly maxBytes: number;
}

export async function readText(file: FileHandle, path: string, wanted: Wanted): Promise<TextPart> {
  const part = await readTextPart(file, path, wanted);
  if ('text' in part) return part;
  throw binary(path, part.size, part.bytes);
}

/** The bytes instead if they are not text. */
export async function readTextPart(
  file: FileHandle,
  path: string,
  { offset, maxBytes }: Wanted,
): Promise<TextPart | { readonly bytes: Buffer; readonly size: number }> {
  const { size } = await file.stat();
  if (offset > size)
    throw new ParleyError('invalid', `"${path}" has only ${size} bytes. Choose a smaller offset.`);
  const bytes = await readBytes(file, offset, Math.min(maxBytes, size - offset));
  const start = offset === 0 ? 0 : continuationBytes(bytes);
  const end = offset + bytes.length < size ? wholeCharacters(bytes) : bytes.length;
  const part = bytes.subarray(start, Math.max(start, end));
  if (part.includes(0)) return { bytes, size };
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(part);
    return { text, size, start: offset + start, end: offset + Math.max(start, end) };
  } catch {
    return { bytes, size };
  }
}

async function readBytes(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(bytes, filled, length - filled, offset + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

/** How many bytes at the start belong to a character that started earlier. */
function continuationBytes(bytes: Buffer): number {
  let count = 0;
  while (count < 3 && isContinuation(bytes[count])) count += 1;
  return count;
}

/** The length without an incomplete character at the end. */
function wholeCharacters(bytes: Buffer): number {
  let lead = bytes.length - 1;
  while (lead > bytes.length - 4 && isContinuation(bytes[lead])) lead -= 1;
  const first = bytes[lead] ?? 0;
  const needed = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
  return lead + needed > bytes.length ? lead : bytes.length;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

function binary(path: string, size: number, bytes: Buffer): ParleyError {
  const known =
    kinds.find(([magic]) => bytes.subarray(0, magic.length).equals(magic))?.[1] ??
    say`a file that is not UTF-8 text`;
  return new ParleyError('invalid', `"${path}" is ${known} of ${size} bytes. Only text can be read.`);
}

const kinds: readonly (readonly [magic: Buffer, kind: string])[] = [
  [Buffer.from([0x89, 0x50, 0x4e, 0x47]), say`a PNG image`],
  [Buffer.from([0xff, 0xd8, 0xff]), say`a JPEG image`],
  [Buffer.from('GIF8'), say`a GIF image`],
  [Buffer.from('RIFF'), say`a WebP, WAV or AVI file`],
  [Buffer.from('%PDF'), say`a PDF document`],
  [Buffer.from([0x50, 0x4b, 0x03, 0x04]), say`a ZIP archive or an office document`],
  [Buffer.from([0x1f, 0x8b]), say`a gzip archive`],
  [Buffer.from('SQLite format 3'), say`an SQLite database`],
];
