// Reads what was said from a part of a transcript, for the full-text index. passage-reader.ts starts it. Plain JavaScript,
// because Node also starts it from the sources.
import { createHash } from 'node:crypto';
import { parentPort } from 'node:worker_threads';

const blockBytes = 512 * 1024;
/** A longer line is skipped: it contains a file or an image. */
const longestLine = 16 * 1024 * 1024;
/** A longer text is split, so that no piece takes long to index. */
const pieceLength = 16_000;
const tailBytes = 256;
const newline = 0x0a;

parentPort.on('message', (request) => {
  if (request === 'close') parentPort.close();
  else void answer(request);
});

async function answer({ id, handle, from, tail }) {
  try {
    parentPort.postMessage({ id, part: await readPart(handle, from, tail) }, []);
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
    passages.push(...spokenIn(lines.bytes.subarray(start, end), from + start));
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
    // Not written to its end yet: the next reading skips it again.
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

/** Most lines are results of tools, which are not worth parsing. */
function mayBeSpoken(line) {
  if (line.includes('"type":"text"')) return true;
  return line.includes('"type":"user"') && !line.includes('"type":"tool_result"');
}

function spokenIn(bytes, offset) {
  if (!mayBeSpoken(bytes)) return [];
  const line = parse(bytes);
  const { type: role, message, timestamp } = line ?? {};
  if ((role !== 'user' && role !== 'assistant') || !message) return [];
  if (line.isMeta === true || line.isSidechain === true || line.isCompactSummary === true) return [];
  const { content } = message;
  const blocks = Array.isArray(content) ? content : [{ type: 'text', text: content }];
  const texts = blocks.flatMap((block) =>
    block?.type === 'text' && typeof block.text === 'string' && block.text.trim() !== '' ? [block.text] : [],
  );
  const at = Date.parse(timestamp) || 0;
  return pieces(texts.join('\n')).map((text) => ({ offset, role, at, text }));
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

function parse(bytes) {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    // Damaged, or still being written.
    return undefined;
  }
}
