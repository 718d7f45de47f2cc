// What the index keeps of one transcript. Plain data, so that a cache can hold it over a restart; a record is
// valid as long as the file's size, time and inode are the ones noted in it.
import { type SessionTitle, type TitleSource, titleOf } from './session-title.ts';

/** Raised when the meaning of a record changes: older ones in a cache are then read anew. */
export const RECORD_VERSION = 1;

export interface SessionRecord {
  readonly version: number;
  readonly file: string;
  readonly sessionId: string;
  /** Name of the project folder. */
  readonly project: string;
  readonly stamp: FileStamp;
  /** Everything before this offset is taken into account, but for the gap. It is the start of a line. */
  readonly readTo: number;
  /** Bytes in the middle that were not looked at yet. */
  readonly gap: readonly [from: number, to: number] | undefined;
  /** What the lines before the gap say; without a gap, what all lines say. */
  readonly before: SessionFacts;
  /** What the lines behind the gap say. */
  readonly after: SessionFacts;
  readonly side: SideFacts | undefined;
}

export interface FileStamp {
  readonly size: number;
  readonly mtimeMs: number;
  readonly ino: number;
  /** With `ino` it tells a replaced file from one that grew: inodes are used again. */
  readonly birthtimeMs: number;
  /** Time of the folder beside the transcript, 0 without one. */
  readonly sideMtimeMs: number;
}

/** What lines say. Of the first fields the earliest line counts, of the others the latest. */
export interface SessionFacts {
  isSidechain?: boolean;
  createdAt?: string;
  cwd?: string;
  gitBranch?: string;
  firstPrompt?: string;
  firstCommand?: string;
  firstUserMessageUuid?: string;
  lastPrompt?: string;
  lastPromptAt?: string;
  customTitle?: string;
  aiTitle?: string;
  summary?: string;
  tag?: string;
  agentName?: string;
  costUsd?: number;
}

/** What the files beside the transcript say. */
export interface SideFacts {
  readonly customTitle?: string;
  readonly archivedAt?: string;
}

/** A session as a list shows it. */
export interface SessionEntry {
  readonly sessionId: string;
  readonly file: string;
  readonly project: string;
  readonly cwd: string | undefined;
  readonly gitBranch: string | undefined;
  readonly createdAt: Date | undefined;
  readonly updatedAt: Date;
  readonly size: number;
  readonly title: string;
  readonly titleSource: TitleSource;
  readonly firstPrompt: string | undefined;
  readonly lastPrompt: string | undefined;
  readonly firstUserMessageUuid: string | undefined;
  readonly tag: string | undefined;
  readonly costUsd: number | undefined;
  readonly archived: boolean;
}

export function sameStamp(a: FileStamp, b: FileStamp): boolean {
  return a.size === b.size && a.mtimeMs === b.mtimeMs && a.ino === b.ino && a.sideMtimeMs === b.sideMtimeMs;
}

/** Facts of earlier and of later lines as one. */
export function joinFacts(earlier: SessionFacts, later: SessionFacts): SessionFacts {
  const { isSidechain, createdAt, cwd, firstPrompt, firstCommand, firstUserMessageUuid } = earlier;
  return {
    ...earlier,
    ...later,
    ...(isSidechain === undefined ? {} : { isSidechain }),
    ...(createdAt === undefined ? {} : { createdAt }),
    ...(cwd === undefined ? {} : { cwd }),
    ...(firstPrompt === undefined ? {} : { firstPrompt }),
    ...(firstCommand === undefined ? {} : { firstCommand }),
    ...(firstUserMessageUuid === undefined ? {} : { firstUserMessageUuid }),
  };
}

export function entryOf(record: SessionRecord): SessionEntry {
  const { stamp } = record;
  const facts = joinFacts(record.before, record.after);
  const { title, source } = recordTitle(record);
  return {
    sessionId: record.sessionId,
    file: record.file,
    project: record.project,
    cwd: facts.cwd,
    gitBranch: facts.gitBranch,
    createdAt: dateOf(facts.createdAt),
    updatedAt: new Date(stamp.mtimeMs),
    size: stamp.size,
    title,
    titleSource: source,
    firstPrompt: facts.firstPrompt,
    lastPrompt: facts.lastPrompt,
    firstUserMessageUuid: facts.firstUserMessageUuid,
    tag: facts.tag === '' ? undefined : facts.tag,
    costUsd: facts.costUsd,
    archived: isArchived(facts, record.side),
  };
}

export function recordTitle({ before, after, gap, side }: SessionRecord): SessionTitle {
  const facts = joinFacts(before, after);
  // A title from before the gap may not be the last one; the file beside the transcript holds the last.
  const isLast = gap === undefined || after.customTitle !== undefined;
  const customTitle = isLast
    ? (facts.customTitle ?? side?.customTitle)
    : (side?.customTitle ?? facts.customTitle);
  return titleOf({ ...facts, customTitle });
}

function isArchived(facts: SessionFacts, side: SideFacts | undefined): boolean {
  if (side?.archivedAt === undefined) return false;
  return facts.lastPromptAt === undefined || Date.parse(facts.lastPromptAt) <= Date.parse(side.archivedAt);
}

function dateOf(timestamp: string | undefined): Date | undefined {
  const time = timestamp === undefined ? Number.NaN : Date.parse(timestamp);
  return Number.isNaN(time) ? undefined : new Date(time);
}
