// What one server of several says about itself and the others, for `parley doctor`.
import { z } from 'zod';

/** The name of a machine. It is also used as the name of a file. */
export const MachineName = z.string().regex(/^\w[\w.-]{0,200}$/);

export const ServerLook = z.object({
  machine: z.string(),
  /** Its clock, in milliseconds since the epoch. */
  time: z.number(),
  /** The other servers that run, and whether they answer it. */
  others: z.array(z.object({ machine: z.string(), answers: z.boolean() })),
  /** What it finds in its folder of notes: the mark of its own machine, and that of the machine that asks. */
  marks: z.object({ own: z.string(), asking: z.string() }),
});
export type ServerLook = z.infer<typeof ServerLook>;

export interface ClusterHealth {
  /** `asking` is the machine whose mark it looks for. */
  look(asking: string): Promise<ServerLook>;
}
