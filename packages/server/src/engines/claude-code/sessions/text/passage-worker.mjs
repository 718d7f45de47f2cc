// Reads what was said from a part of a transcript, for the full-text index. passage-reader.ts starts it. Plain JavaScript,
// because Node also starts it from the sources.
import { createHash } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import { messageIn } from '@parley/claude-cli';

const blockBytes = 512 * 1024;
/** A longer line is skipped: it contains a file or an image. */
const longestLine = 16 * 1024 * 1024;
/** A longer text is split, so that no piece takes long to index. */
const pieceLength = 16_000;
const tailBytes = 256;
const newline = 0x0a;

parentPort.on('message', ({ id, request }) => void answer(id, request));

async function answer(id, { handle, from, tail }) {
  try {
    parentPort.postMessage({ id, result: await readPart(handle, from, tail) }, []);
  } catch (error) {
    parentPort.postMessage({ id, failure: error.message }, []);
  } finally {
    await handle.close();
  }
}

/** What was said in the next block of lines; undefined if the file no longer has the bytes that were read before. */
async function readPart(handle, from, tail) {
  if ((await tailAt(handle, from)) !== tail) return undefined;
  const lines = await wholeLines(handle, from);
  const passages = [];
  let start = 0;
  for (let end = lines.bytes.indexOf(newline); end !== -1; end = lines.bytes.indexOf(newline, start)) {
    passages.push(...passagesIn(lines.bytes.subarray(start, end), from + start));
    start = end + 1;
  }
  return { passages, next: lines.next, tail: await tailAt(handle, lines.next) };
}

async function tailAt(handle, end) {
  const bytes = await read(handle, Math.max(0, end - tailBytes), Math.min(end, tailBytes));
  return createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
}

/** At least one whole line, unless there is none. */
async function wholeLines(handle, from) {
  for (let length = blockBytes; ; length *= 4) {
    const bytes = await read(handle, from, length);
    const end = bytes.lastIndexOf(newline) + 1;
    if (end > 0 || bytes.length < length) return { bytes: bytes.subarray(0, end), next: from + end };
    if (length > longestLine)
      return { bytes: bytes.subarray(0, 0), next: await endOfLine(handle, from + length) };
  }
}

async function endOfLine(handle, from) {
  for (let at = from; ; at += blockBytes) {
    const bytes = await read(handle, at, blockBytes);
    const end = bytes.indexOf(newline);
    if (end !== -1) return at + end + 1;
    // The line isn't complete yet. The next reading starts inside of it and skips the rest.
    if (bytes.length < blockBytes) return from;
  }
}

async function read(handle, position, length) {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(buffer, filled, length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

function passagesIn(bytes, offset) {
  const spoken = messageIn(bytes);
  if (!spoken) return [];
  const { role, at, text } = spoken;
  return pieces(text).map((piece) => ({ offset, role, at, text: piece }));
}

function pieces(text) {
  const found = [];
  for (let start = 0; start < text.length; ) {
    const end = start + pieceLength;
    const space = end < text.length ? text.lastIndexOf(' ', end) : end;
    const cut = space > start ? space : end;
    found.push(text.slice(start, cut));
    start = cut;
  }
  return found;
}
