// What notifications say about a session of any kind.
import { z } from 'zod';
import { TurnOutcome } from './event.ts';
import { PersonName, SessionId } from './ids.ts';

/** The data of each event of `GET /api/notifications`. */
export const SessionNotification = z.object({
  session_id: SessionId,
  title: z.string(),
  /** The working directory, if the session has one. */
  project: z.string().nullable(),
  /** The page to open. */
  path: z.string(),
  /** The tool that wants to run, with `permission-waiting`. */
  tool: z.string().optional(),
  /** The outcome, with `turn-ended`. */
  outcome: TurnOutcome.optional(),
  /** Who wrote the prompt, with `mentioned`. */
  by: PersonName.optional(),
});
export type SessionNotification = z.infer<typeof SessionNotification>;
