// Reads what a list needs from a transcript: its start, its end, and later only what was appended. Synchronous on
// purpose: each file takes a handful of system calls on cached blocks, and the thread pool would make them several
// times slower. Callers read in time slices, see time-slices.ts.
import { closeSync, existsSync, readSync } from 'node:fs';
import { sep } from 'node:path';
import { type Fields, record } from '../fields.ts';
import { NEWLINE } from '../frames/line-splitter.ts';
import { foldLines, foldPromptSince, foldStart, hasStart } from './fold-facts.ts';
import { sideFolderOf } from './location.ts';
import { foldQuickly, lastBranchQuickly } from './quick-look.ts';
import { openRealSync } from './real-file.ts';
import {
  type FileStamp,
  noFacts,
  RECORD_VERSION,
  type SessionFacts,
  type SessionRecord,
  type SideFacts,
} from './session-record.ts';
import { shorten } from './session-title.ts';

const HEAD = 8 * 1024;
const TAIL = 32 * 1024;
/** How far to search for the first prompt: newer versions write long snapshots before it. */
const MAX_HEAD = 1024 * 1024;
/** A file that grew by more than this is read from its end again. */
const MAX_APPENDED = 4 * 1024 * 1024;
/** How far to look back for a prompt: one with images has a line of megabytes. */
const MAX_LOOK_BACK = 8 * 1024 * 1024;

export interface FoundFile {
  readonly file: string;
  readonly sessionId: string;
  readonly project: string;
}

/** Throws as `fs` does, for example if the file is gone. */
export function readRecord(found: FoundFile, stamp: FileStamp, previous?: SessionRecord): SessionRecord {
  const side = readSide(found.file, stamp, previous);
  const fd = openRealSync(found.file);
  try {
    const known = previous && continues(previous, stamp) ? previous : undefined;
    const lines = known ? readAppended(fd, stamp.size, known) : readWhole(fd, stamp.size);
    const archivedAt = side?.archivedAt;
    if (archivedAt !== undefined) {
      const from = known?.side?.archivedAt === archivedAt ? known.readTo : 0;
      readPromptSince(fd, stamp.size, from, Date.parse(archivedAt), lines.facts);
    }
    const { file, sessionId, project } = found;
    return { version: RECORD_VERSION, file, sessionId, project, stamp, side, ...lines };
  } finally {
    closeSync(fd);
  }
}

type Lines = Pick<SessionRecord, 'readTo' | 'facts'>;

/** Whether the file is the known one with bytes appended, judging by its stamp. */
function continues(previous: SessionRecord, stamp: FileStamp): boolean {
  const before = previous.stamp;
  if (before.ino !== stamp.ino || before.birthtimeMs !== stamp.birthtimeMs) return false;
  if (stamp.size < before.size) return false;
  return stamp.size > before.size || stamp.mtimeMs === before.mtimeMs;
}

function readWhole(fd: number, size: number): Lines {
  const facts = noFacts();
  const headEnd = readHead(fd, size, facts);
  if (facts.isSidechain === true) return { readTo: headEnd, facts };
  return readQuickly(fd, size, headEnd, facts);
}

function readAppended(fd: number, size: number, { readTo, facts: known }: SessionRecord): Lines {
  const facts = { ...known };
  if (size - readTo > MAX_APPENDED) return readQuickly(fd, size, readTo, facts);
  const block = readAt(fd, readTo, size - readTo);
  const lines = block.subarray(0, block.lastIndexOf(NEWLINE) + 1);
  foldLines(facts, lines);
  return { readTo: readTo + lines.length, facts };
}

/** Reads the facts at the end of the file: the program repeats the latest ones there when it exits. */
function readQuickly(fd: number, size: number, from: number, facts: SessionFacts): Lines {
  const { block, position, start, end } = readEnd(fd, size, from);
  const early = position + start > from ? facts.customTitle : undefined;
  foldQuickly(facts, block, start, end);
  facts.gitBranch = lastBranchQuickly(block, start, end) ?? facts.gitBranch;
  facts.customTitleIsEarly = early !== undefined && facts.customTitle === early;
  // A block without a newline is inside of a line that is still being written.
  return { readTo: end > 0 ? position + end : from, facts };
}

/** Looks back for a prompt after the session was archived: then it no longer is. */
function readPromptSince(fd: number, size: number, from: number, since: number, facts: SessionFacts): void {
  for (let length = TAIL; length <= MAX_LOOK_BACK; length *= 4) {
    const { block, position, start, end } = readEnd(fd, size, from, length);
    if (foldPromptSince(facts, block.subarray(start, end), since) || position === from) return;
  }
}

/** Whole lines in a block of the file: offsets in the block, and its position in the file. */
interface LinesInBlock {
  readonly block: Buffer;
  readonly position: number;
  readonly start: number;
  readonly end: number;
}

/** The last whole lines of the file after `from`, which is the start of a line. */
function readEnd(fd: number, size: number, from: number, length = TAIL): LinesInBlock {
  const position = Math.max(from, size - length);
  const block = readAt(fd, position, size - position);
  const start = position === from ? 0 : block.indexOf(NEWLINE) + 1;
  return { block, position, start, end: Math.max(start, block.lastIndexOf(NEWLINE) + 1) };
}

/** Reads from the start until the first prompt is known. Returns the end of the last whole line read. */
function readHead(fd: number, size: number, facts: SessionFacts): number {
  let length = Math.min(HEAD, size);
  let block = readAt(fd, 0, length);
  let scanned = foldStart(facts, block, 0);
  // A shorter block means that the file was truncated after it got its stamp.
  while (!hasStart(facts) && block.length === length && length < Math.min(size, MAX_HEAD)) {
    length = Math.min(length * 4, size);
    block = readAt(fd, 0, length);
    scanned = foldStart(facts, block, scanned);
  }
  const readTo = block.lastIndexOf(NEWLINE) + 1;
  foldQuickly(facts, block, 0, readTo);
  // In a longer file the end has the latest branch.
  if (readTo === size) facts.gitBranch = lastBranchQuickly(block, 0, readTo) ?? facts.gitBranch;
  return readTo;
}

function readSide(file: string, stamp: FileStamp, previous?: SessionRecord): SideFacts | undefined {
  if (stamp.sideMtimeMs === 0) return undefined;
  if (previous?.stamp.sideMtimeMs === stamp.sideMtimeMs) return previous.side;
  const folder = sideFolderOf(file);
  const { customTitle } = readJson(`${folder}${sep}custom-title.json`);
  const { archived, at } = readJson(`${folder}${sep}archived.json`);
  return {
    ...(typeof customTitle === 'string' ? { customTitle: shorten(customTitle) } : {}),
    ...(archived === true && typeof at === 'string' ? { archivedAt: at } : {}),
  };
}

/** Nothing if the file is missing, damaged, or longer than these files ever are. */
function readJson(path: string): Fields {
  // Most of these folders hold other files, and a failing open costs more than this check.
  if (!existsSync(path)) return {};
  try {
    const fd = openRealSync(path);
    try {
      return record(JSON.parse(readAt(fd, 0, TAIL).toString()));
    } finally {
      closeSync(fd);
    }
  } catch {
    return {};
  }
}

/** Reused for every file: nothing keeps these bytes after their lines are folded. */
const headBlock = Buffer.allocUnsafeSlow(HEAD);
const tailBlock = Buffer.allocUnsafeSlow(TAIL);

function readAt(fd: number, position: number, length: number): Buffer {
  const buffer = blockFor(length);
  let filled = 0;
  while (filled < length) {
    const read = readSync(fd, buffer, filled, length - filled, position + filled);
    if (read === 0) break;
    filled += read;
  }
  return filled === buffer.length ? buffer : buffer.subarray(0, filled);
}

function blockFor(length: number): Buffer {
  if (length <= HEAD) return headBlock;
  return length <= TAIL ? tailBlock : Buffer.allocUnsafeSlow(length);
}
