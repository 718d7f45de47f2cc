// The audit log: who did what, and when.
import { z } from 'zod';
import { PersonName } from './ids.ts';

export const AuditAction = z.enum([
  'login',
  'login.failed',
  'logout',
  'device.ended',
  'account.created',
  'account.changed',
  'account.recovered',
  'account.disabled',
  'account.enabled',
  'account.removed',
  'role.changed',
  'password.changed',
  'passkey.added',
  'passkey.removed',
  'openid.linked',
  'openid.unlinked',
  'invitation.created',
  'invitation.accepted',
  'invitation.revoked',
  'key.created',
  'key.revoked',
  'session.shared',
  'session.unshared',
  'link.created',
  'link.revoked',
  'folder.trusted',
  'folder.distrusted',
  'permission.decided',
  'budget.changed',
  'settings.changed',
]);
export type AuditAction = z.infer<typeof AuditAction>;

export const AuditEntry = z.object({
  /** Later entries have greater numbers. */
  id: z.int(),
  /** In milliseconds since 1970. */
  at: z.number(),
  action: AuditAction,
  /** Who did it; null if nobody was recognized, or on the command line. */
  person: PersonName.nullable(),
  /** Whom or what it was done to, such as a person or the label of a key. */
  subject: z.string().nullable(),
  detail: z.string().nullable(),
  /** The address it came from. */
  address: z.string().nullable(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;
