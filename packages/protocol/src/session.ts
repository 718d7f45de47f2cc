// Sessions and turns as every part of Parley sees them.
import { z } from 'zod';
import { Prompt } from './content.ts';
import { ErrorCode } from './errors.ts';
import { PersonName, Seq, SessionId, TurnId } from './ids.ts';
import { Usage } from './usage.ts';

export const EngineName = z.enum(['messages-api', 'claude-code']);
export type EngineName = z.infer<typeof EngineName>;

/** One conversation of one person with one engine. */
export const Session = z.object({
  id: SessionId,
  person: PersonName,
  engine: EngineName,
  /** The assistant that answers; only the `messages-api` engine has several. */
  assistant: z.string(),
  title: z.string(),
  createdAt: z.number(),
  updatedAt: z.number(),
  /** What the engine remembers about the session, such as its model or working directory. */
  settings: z.record(z.string(), z.unknown()),
});
export type Session = z.infer<typeof Session>;

export const TurnStatus = z.enum(['queued', 'running', 'completed', 'failed', 'interrupted', 'withdrawn']);
export type TurnStatus = z.infer<typeof TurnStatus>;

/** One prompt and all that follows until the engine is done. */
export const Turn = z.object({
  id: TurnId,
  sessionId: SessionId,
  /** Given by the client: the same key never starts a second turn. */
  key: z.string(),
  door: z.string(),
  /** False if nobody can answer a question while the turn runs. */
  canAsk: z.literal(false).optional(),
  prompt: Prompt,
  status: TurnStatus,
  /** The session's last event when the prompt was admitted: every event of the turn comes after it. */
  after: Seq,
  text: z.string(),
  usage: Usage,
  error: z.object({ code: ErrorCode, message: z.string() }).optional(),
  queuedAt: z.number(),
  startedAt: z.number().optional(),
  endedAt: z.number().optional(),
});
export type Turn = z.infer<typeof Turn>;
