// Reads of a transcript what a list needs: its beginning, its end, and on later visits only what was appended.
// Synchronous on purpose: per file it is a handful of system calls on cached blocks, and going through the
// thread pool for each takes several times as long. Callers do it in time slices, see time-slices.ts.
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { topLevelType } from '../frames/top-level-fields.ts';
import { sideFolder } from './edit-session.ts';
import { foldBeginning, foldLater, foldLine, hasBeginning } from './fold-facts.ts';
import {
  type FileStamp,
  RECORD_VERSION,
  type SessionFacts,
  type SessionRecord,
  type SideFacts,
} from './session-record.ts';

const HEAD = 16 * 1024;
const TAIL = 64 * 1024;
/** How far to look for the first prompt: newer versions write long snapshots before it. */
const MAX_HEAD = 1024 * 1024;
/** A file that grew by more than this is looked at from its end again. */
const MAX_APPENDED = 4 * 1024 * 1024;
const NEWLINE = 0x0a;

export interface FoundFile {
  readonly file: string;
  readonly sessionId: string;
  readonly project: string;
}

/** Throws as `fs` does, for example when the file has vanished. */
export function readRecord(found: FoundFile, stamp: FileStamp, previous?: SessionRecord): SessionRecord {
  const side = readSide(found.file, stamp, previous);
  const base = { version: RECORD_VERSION, ...found, stamp, side };
  const fd = openSync(found.file, 'r');
  try {
    const lines =
      previous && continues(previous, stamp)
        ? readAppended(fd, stamp.size, previous)
        : readAnew(fd, stamp.size);
    if (side?.archivedAt !== undefined) foldPrompts(fd, stamp.size, lines.gap ? lines.after : lines.before);
    return { ...base, ...lines };
  } finally {
    closeSync(fd);
  }
}

type Lines = Pick<SessionRecord, 'readTo' | 'gap' | 'before' | 'after'>;

/** Whether the file is the known one with bytes added, as far as its stamp can tell. */
function continues(previous: SessionRecord, stamp: FileStamp): boolean {
  const before = previous.stamp;
  if (before.ino !== stamp.ino || before.birthtimeMs !== stamp.birthtimeMs) return false;
  if (stamp.size < before.size) return false;
  return stamp.size > before.size || stamp.mtimeMs === before.mtimeMs;
}

function readAnew(fd: number, size: number): Lines {
  const before: SessionFacts = {};
  const headEnd = readHead(fd, size, before);
  if (before.isSidechain === true) return { readTo: headEnd, gap: undefined, before, after: {} };
  return readOn(fd, size, { readTo: headEnd, gap: undefined, before, after: {} }, TAIL);
}

function readAppended(fd: number, size: number, previous: SessionRecord): Lines {
  const { readTo, gap } = previous;
  return readOn(
    fd,
    size,
    { readTo, gap, before: { ...previous.before }, after: { ...previous.after } },
    MAX_APPENDED,
  );
}

/** Takes in what follows `readTo`: all of it up to `most` bytes, else only the end, which leaves a gap. */
function readOn(fd: number, size: number, lines: Lines, most: number): Lines {
  const { readTo, gap, before } = lines;
  if (size - readTo <= most) {
    const appended = wholeLines(readAt(fd, readTo, size - readTo), 0);
    const facts = gap ? lines.after : before;
    if (!gap && !hasBeginning(facts)) foldBeginning(facts, appended, 0);
    foldLater(facts, appended);
    return { ...lines, readTo: readTo + appended.length };
  }
  const from = size - TAIL;
  const block = readAt(fd, from, TAIL);
  const start = block.indexOf(NEWLINE) + 1;
  const tail = wholeLines(block, start);
  const after: SessionFacts = {};
  foldLater(after, tail);
  return { before, after, gap: [gap?.[0] ?? readTo, from + start], readTo: from + start + tail.length };
}

function wholeLines(block: Buffer, start: number): Buffer {
  return block.subarray(start, Math.max(start, block.lastIndexOf(NEWLINE) + 1));
}

/** Reads from the beginning until the first prompt is known. Returns the end of the last whole line read. */
function readHead(fd: number, size: number, facts: SessionFacts): number {
  let block = readAt(fd, 0, Math.min(HEAD, size));
  let walked = foldBeginning(facts, block, 0);
  while (!hasBeginning(facts) && block.length < Math.min(size, MAX_HEAD)) {
    const next = readAt(fd, block.length, Math.min(block.length * 3, size - block.length));
    if (next.length === 0) break;
    block = Buffer.concat([block, next]);
    walked = foldBeginning(facts, block, walked);
  }
  const readTo = block.lastIndexOf(NEWLINE) + 1;
  foldLater(facts, block.subarray(0, readTo));
  return readTo;
}

/** The time of the last prompt decides whether a session is still archived. */
function foldPrompts(fd: number, size: number, facts: SessionFacts): void {
  const block = readAt(fd, Math.max(0, size - TAIL), Math.min(TAIL, size));
  for (
    let start = 0, end = block.indexOf(NEWLINE);
    end !== -1;
    start = end + 1, end = block.indexOf(NEWLINE, start)
  ) {
    const line = block.subarray(start, end);
    if (topLevelType(line) === 'user') foldLine(facts, line);
  }
}

function readSide(file: string, stamp: FileStamp, previous?: SessionRecord): SideFacts | undefined {
  if (stamp.sideMtimeMs === 0) return undefined;
  if (previous?.stamp.sideMtimeMs === stamp.sideMtimeMs) return previous.side;
  const folder = sideFolder(file);
  const { customTitle } = readJson(join(folder, 'custom-title.json'));
  const { archived, at } = readJson(join(folder, 'archived.json'));
  return {
    ...(typeof customTitle === 'string' ? { customTitle } : {}),
    ...(archived === true && typeof at === 'string' ? { archivedAt: at } : {}),
  };
}

function readJson(path: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}

function readAt(fd: number, position: number, length: number): Buffer {
  const buffer = Buffer.allocUnsafeSlow(Math.max(0, length));
  let filled = 0;
  while (filled < length) {
    const read = readSync(fd, buffer, filled, length - filled, position + filled);
    if (read === 0) break;
    filled += read;
  }
  return buffer.subarray(0, filled);
}
