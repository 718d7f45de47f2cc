// Tokens and cost by day, person, model and session, for the overview page.
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
  /** The person's own sessions, the most expensive first; the title is empty if the session was deleted. */
  sessions: z.array(
    z.object({ sessionId: SessionId, engine: EngineName, title: z.string(), turns: z.int(), usage: Usage }),
  ),
});
export type UsageOverview = z.infer<typeof UsageOverview>;
