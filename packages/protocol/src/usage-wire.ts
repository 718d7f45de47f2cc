// What the overview shows: tokens and money by day, person, model and session.
import { z } from 'zod';
import { PersonName, SessionId } from './ids.ts';
import { EngineName } from './session.ts';
import { Usage } from './usage.ts';

export const UsageOverview = z.object({
  /** One line for each day, person, model and engine that had a turn, oldest day first. Days are in UTC. */
  days: z.array(
    z.object({
      day: z.iso.date(),
      person: PersonName,
      model: z.string(),
      engine: EngineName,
      turns: z.int(),
      usage: Usage,
    }),
  ),
  /** The asking person's own sessions, the dearest first; the title is empty where the session is gone. */
  sessions: z.array(
    z.object({ sessionId: SessionId, engine: EngineName, title: z.string(), turns: z.int(), usage: Usage }),
  ),
});
export type UsageOverview = z.infer<typeof UsageOverview>;
