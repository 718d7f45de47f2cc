// Sessions over REST: their state, their past in pages, and deleting them.
import { z } from 'zod';
import { CodeSessionView } from './code-wire.ts';
import { ImageType, ShownFile } from './content.ts';
import { ErrorCode } from './errors.ts';
import { Author, CodeModel, SessionEvent, Todo } from './event.ts';
import { Seq, SessionId, TurnId } from './ids.ts';
import { PendingPermission } from './permission.ts';
import { Session, TurnStatus } from './session.ts';
import { SessionLevel } from './share-wire.ts';
import { Usage } from './usage.ts';

/** The text of a prompt, the types of its images, and its files. */
export const ShownPrompt = z.object({
  text: z.string(),
  images: z.array(ImageType),
  files: z.array(ShownFile).optional().describe('Absent if there are none.'),
});
export type ShownPrompt = z.infer<typeof ShownPrompt>;

/** A turn without the bytes of its images and files, which clients load one by one. */
export const ShownTurn = z.object({
  id: TurnId,
  door: z.string(),
  status: TurnStatus,
  prompt: ShownPrompt,
  author: Author,
  text: z.string().describe('The answer.'),
  usage: Usage,
  error: z.object({ code: ErrorCode, message: z.string() }).optional(),
  after: Seq.describe('Every event of the turn has a greater number.'),
  queuedAt: z.number(),
  startedAt: z.number().optional(),
  endedAt: z.number().optional(),
});
export type ShownTurn = z.infer<typeof ShownTurn>;

export const WaitingPrompt = z.object({
  turnId: TurnId,
  prompt: ShownPrompt,
  author: Author,
  queuedAt: z.number(),
});
export type WaitingPrompt = z.infer<typeof WaitingPrompt>;

export const SessionDetails = z.object({
  session: Session,
  /** What the asking person may do with it; `session.person` is its owner. */
  access: SessionLevel.optional(),
  turns: z.array(ShownTurn),
  usage: Usage.describe('Of all turns together.'),
  running: TurnId.nullable(),
  queue: z.array(WaitingPrompt),
  permissions: z.array(PendingPermission),
  lastSeq: Seq.describe('Follow the events after this number.'),
  code: z
    .object({
      view: CodeSessionView,
      todos: z.array(Todo),
      models: z.array(CodeModel).optional().describe('Absent until a program has reported them.'),
      permissionMode: z.string().nullable(),
    })
    .optional()
    .describe('Of a Claude Code session.'),
});
export type SessionDetails = z.infer<typeof SessionDetails>;

/** A place where a conversation continued in several ways. Each of them is a session. */
export const Versions = z.object({
  after: TurnId.nullable().describe(
    'The last prompt that all of them share; null if they differ from the first one on.',
  ),
  sessions: z.array(SessionId).describe('The oldest version first.'),
  current: z.int().describe('Which one this session shows; -1 if it does not get to this place.'),
});
export type Versions = z.infer<typeof Versions>;

/** An event of the past. It has no number: only live events are numbered. */
export const PastEntry = z.object({
  at: z.number().nullable(),
  turnId: TurnId.optional(),
  author: Author.describe('Who wrote a prompt in a transcript, which does not say it itself.'),
  event: SessionEvent,
});
export type PastEntry = z.infer<typeof PastEntry>;

/** Where a text occurs in one conversation, oldest first. */
export const FoundInSession = z.object({
  hits: z.array(
    z.object({
      id: z.string().describe('The turn, or in Claude Code sessions the line of the transcript.'),
      role: z.enum(['user', 'assistant']),
      snippet: z.string(),
    }),
  ),
  truncated: z.boolean().describe('There are more.'),
});
export type FoundInSession = z.infer<typeof FoundInSession>;

/** A page of the past, oldest first. */
export const PastPage = z.object({
  entries: z.array(PastEntry),
  before: z.string().nullable().describe('Pass it back for the page before this one; null at the start.'),
  after: Seq.describe('The events after this number continue where the newest page ends.'),
});
export type PastPage = z.infer<typeof PastPage>;

export const SessionIds = z.object({ ids: z.array(SessionId).max(200) });
export type SessionIds = z.infer<typeof SessionIds>;

export const RemovedSessions = z.object({
  removed: z.array(SessionId),
  busy: z.array(SessionId).describe('Not deleted, because they are still working.'),
  until: z.number().describe('When they are gone for good, in milliseconds since 1970.'),
});
export type RemovedSessions = z.infer<typeof RemovedSessions>;
