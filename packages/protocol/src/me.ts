// What a page asks first: who am I, and who else is there.
import { z } from 'zod';
import { PersonName } from './ids.ts';

export const Me = z.object({
  /** The person meant where a request names none; null when one must be chosen. */
  person: PersonName.nullable(),
  people: z.array(PersonName),
  /** The scripted demo model answers. */
  demo: z.boolean(),
  version: z.string(),
  /** Whether the person may use the screen of the `claude` program itself. */
  terminal: z.boolean(),
});
export type Me = z.infer<typeof Me>;
