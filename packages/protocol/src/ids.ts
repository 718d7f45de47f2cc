// The ids that cross a door. They are UUIDs, so that nothing else can be smuggled in with them.
import { z } from 'zod';

export const SessionId = z.uuid();
export type SessionId = z.infer<typeof SessionId>;

export const TurnId = z.uuid();
export type TurnId = z.infer<typeof TurnId>;

export const PermissionId = z.uuid();
export type PermissionId = z.infer<typeof PermissionId>;

/** A member of the household. It is also the name of a vault folder, so it must be a plain word. */
export const PersonName = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9_-]{0,31}$/,
    'a name is 1 to 32 of a-z, 0-9, - and _, and starts with a letter or digit',
  );
export type PersonName = z.infer<typeof PersonName>;

/** The number of an event within its session. Later events have greater numbers. */
export const Seq = z.int().nonnegative();
export type Seq = z.infer<typeof Seq>;
