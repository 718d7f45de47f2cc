// How people organize their sessions: pinned, archived, tagged.
import { z } from 'zod';
import { SessionId } from './ids.ts';
import { SessionIds } from './session-wire.ts';

const Tag = z.string().trim().min(1, 'A tag is empty.').max(40, 'A tag may have at most 40 characters.');
const Tags = z.array(Tag).max(10, 'A session has at most ten tags.');

export const SessionMarks = z.object({
  id: SessionId,
  pinned: z.boolean(),
  /** Claude Code sessions have their own archive. */
  archived: z.boolean(),
  tags: z.array(z.string()),
});
export type SessionMarks = z.infer<typeof SessionMarks>;

/** Sessions without marks are left out. */
export const Marks = z.object({ marks: z.array(SessionMarks) });
export type Marks = z.infer<typeof Marks>;

/** Changes only the fields that are given. */
export const MarkChange = SessionIds.extend({
  pinned: z.boolean().optional(),
  archived: z.boolean().optional(),
  addTags: Tags.optional(),
  removeTags: Tags.optional(),
});
export type MarkChange = z.infer<typeof MarkChange>;
