// The first thing a page requests: who am I, and who else is there?
import { z } from 'zod';
import { PersonName } from './ids.ts';

export const Me = z.object({
  /** The person that a request without one means; null if the request must name one. */
  person: PersonName.nullable(),
  people: z.array(PersonName),
  /** The scripted demo model answers. */
  demo: z.boolean(),
  version: z.string(),
  /** Whether the person may use the `claude` program's own screen. */
  terminal: z.boolean(),
});
export type Me = z.infer<typeof Me>;
