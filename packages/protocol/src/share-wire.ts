// Sessions that are shared with other people.
import { z } from 'zod';
import { PersonName } from './ids.ts';

/** `read`: see it and follow it. `participate`: also prompt, steer, decide and stop. */
export const ShareLevel = z.enum(['read', 'participate']);
export type ShareLevel = z.infer<typeof ShareLevel>;

/** What somebody may do with a session; `own` includes renaming, configuring, deleting and sharing it. */
export const SessionLevel = z.enum(['read', 'participate', 'own']);
export type SessionLevel = z.infer<typeof SessionLevel>;

export const Share = z.object({
  /** Whom it is shared with. */
  with: PersonName,
  level: ShareLevel,
  /** In milliseconds since 1970. */
  since: z.number(),
});
export type Share = z.infer<typeof Share>;

/** A link that shows a session to whoever has it. */
export const ShareLinkInfo = z.object({
  id: z.string(),
  /** How many turns it shows. */
  turns: z.int(),
  /** Both times are in milliseconds since 1970. */
  createdAt: z.number(),
  expiresAt: z.number(),
});
export type ShareLinkInfo = z.infer<typeof ShareLinkInfo>;

/** `path` contains the link's secret and is returned only once. */
export const NewShareLink = ShareLinkInfo.extend({ path: z.string() });
export type NewShareLink = z.infer<typeof NewShareLink>;
