// What the index knows about one transcript. Plain data, so that a cache can store it. A record is valid as long as the
// file still has the size, time and inode noted in it.
import { type SessionTitle, type TitleSource, titleOf } from './session-title.ts';

/** Goes up when the meaning of a record changes, so that cached records of older versions are ignored. */
export const RECORD_VERSION = 2;

export interface SessionRecord {
  readonly version: number;
  readonly file: string;
  readonly sessionId: string;
  /** Name of the project folder. */
  readonly project: string;
  readonly stamp: FileStamp;
  /** The lines before this offset are included, except for the middle of a long file. It is the start of a line. */
  readonly readTo: number;
  readonly facts: SessionFacts;
  readonly side: SideFacts | undefined;
}

export interface FileStamp {
  readonly size: number;
  readonly mtimeMs: number;
  readonly ino: number;
  /** Together with `ino` it distinguishes a replaced file from one that grew: inodes are reused. */
  readonly birthtimeMs: number;
  /** Time of the folder next to the transcript, 0 without one. */
  readonly sideMtimeMs: number;
}

/** What the lines say. */
export interface SessionFacts {
  isSidechain?: boolean | undefined;
  createdAt?: string | undefined;
  cwd?: string | undefined;
  gitBranch?: string | undefined;
  firstPrompt?: string | undefined;
  firstCommand?: string | undefined;
  firstUserMessageUuid?: string | undefined;
  lastPrompt?: string | undefined;
  lastPromptAt?: string | undefined;
  customTitle?: string | undefined;
  /** The custom title is before lines that were not read, so it may not be the last. */
  customTitleIsEarly?: boolean | undefined;
  aiTitle?: string | undefined;
  summary?: string | undefined;
  tag?: string | undefined;
  costUsd?: number | undefined;
}

/** Sets all fields at once, because objects of one shape are faster than those that grow in different ways. */
export function noFacts(): SessionFacts {
  return {
    isSidechain: undefined,
    createdAt: undefined,
    cwd: undefined,
    gitBranch: undefined,
    firstPrompt: undefined,
    firstCommand: undefined,
    firstUserMessageUuid: undefined,
    lastPrompt: undefined,
    lastPromptAt: undefined,
    customTitle: undefined,
    customTitleIsEarly: undefined,
    aiTitle: undefined,
    summary: undefined,
    tag: undefined,
    costUsd: undefined,
  };
}

/** What the files next to the transcript say. */
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

export function entryOf(record: SessionRecord): SessionEntry {
  const { stamp, facts } = record;
  const { title, source } = titleFrom(record);
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

/** A transcript without messages has no title: nobody could open it as a session. */
function titleFrom({ facts, side }: SessionRecord): SessionTitle {
  if (!hasMessages(facts)) return titleOf({});
  const { customTitle: inLines, customTitleIsEarly } = facts;
  // The file next to the transcript always has the last title, unless a line after all others has it.
  const customTitle = customTitleIsEarly ? (side?.customTitle ?? inLines) : (inLines ?? side?.customTitle);
  const { aiTitle, summary, firstPrompt, firstCommand } = facts;
  return titleOf({ customTitle, aiTitle, summary, firstPrompt, firstCommand });
}

/** Older programs also wrote files that contain only summaries of other sessions. */
function hasMessages({ cwd, firstPrompt, firstCommand, firstUserMessageUuid }: SessionFacts): boolean {
  return [cwd, firstPrompt, firstCommand, firstUserMessageUuid].some((fact) => fact !== undefined);
}

function isArchived(facts: SessionFacts, side: SideFacts | undefined): boolean {
  if (side?.archivedAt === undefined) return false;
  return facts.lastPromptAt === undefined || Date.parse(facts.lastPromptAt) <= Date.parse(side.archivedAt);
}

function dateOf(timestamp: string | undefined): Date | undefined {
  const time = timestamp === undefined ? Number.NaN : Date.parse(timestamp);
  return Number.isNaN(time) ? undefined : new Date(time);
}
