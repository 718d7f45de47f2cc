// The first thing a page requests: who am I, what may I do, and who else is there?
import { z } from 'zod';
import { PersonName } from './ids.ts';
import { Right, Role } from './role.ts';

export const Me = z.object({
  /** The person of a request that doesn't name one; null if it must. */
  person: PersonName.nullable(),
  /** The people that these credentials can act for. */
  people: z.array(PersonName),
  /** The scripted demo model answers. */
  demo: z.boolean(),
  version: z.string(),
  /** Whether the person may use the `claude` program's own screen. */
  terminal: z.boolean(),
  /** Null as long as there is no person. */
  role: Role.nullable(),
  rights: z.array(Right),
  /** Whether the person has an account. */
  account: z.boolean(),
  /** How to show the person's name; null as long as there is no person. */
  displayName: z.string().nullable(),
  /** Whether to show the person the first steps. */
  firstSteps: z.boolean(),
});
export type Me = z.infer<typeof Me>;
