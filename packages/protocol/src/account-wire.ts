// Accounts on the wire: a person's own, other people's, and invitations to make one.
import { z } from 'zod';
import { PersonName } from './ids.ts';
import { Role } from './role.ts';

/** How somebody logged in on a device. */
export const LoginKind = z.enum(['family', 'password', 'passkey', 'openid']);
export type LoginKind = z.infer<typeof LoginKind>;

export const PasskeyInfo = z.object({
  id: z.string(),
  name: z.string(),
  /** The host name it works at. */
  host: z.string(),
  /** All times here are in milliseconds since 1970. */
  createdAt: z.number(),
  lastUsedAt: z.number().nullable(),
});
export type PasskeyInfo = z.infer<typeof PasskeyInfo>;

/** The person's own account. */
export const AccountInfo = z.object({
  person: PersonName,
  displayName: z.string(),
  role: Role,
  /** False for somebody who logs in with the family password. Then the rest is empty. */
  account: z.boolean(),
  password: z.boolean(),
  passkeys: z.array(PasskeyInfo),
  /** The identity provider; null if none is configured. */
  openId: z.object({ name: z.string(), linked: z.boolean() }).nullable(),
  /** Whether passkeys work here: browsers require HTTPS or localhost. */
  passkeysWork: z.boolean(),
});
export type AccountInfo = z.infer<typeof AccountInfo>;

/** A browser that is logged in. */
export const DeviceInfo = z.object({
  id: z.string(),
  /** Such as `Firefox · Linux`; null if it isn't known. */
  name: z.string().nullable(),
  kind: LoginKind,
  /** Whether this request came from it. */
  current: z.boolean(),
  createdAt: z.number(),
  /** Accurate to within an hour. */
  seenAt: z.number(),
});
export type DeviceInfo = z.infer<typeof DeviceInfo>;

/** Somebody who uses this server. */
export const PersonInfo = z.object({
  person: PersonName,
  displayName: z.string(),
  role: Role,
  account: z.boolean(),
  disabled: z.boolean(),
  /** What a guest may use. */
  assistants: z.array(z.string()),
});
export type PersonInfo = z.infer<typeof PersonInfo>;

export const InvitationInfo = z.object({
  id: z.string(),
  person: PersonName,
  role: Role,
  assistants: z.array(z.string()),
  /** Null if it was made on the command line. */
  createdBy: PersonName.nullable(),
  createdAt: z.number(),
  expiresAt: z.number(),
});
export type InvitationInfo = z.infer<typeof InvitationInfo>;

/** Returned only once, when the invitation is made. */
export const NewInvitationInfo = InvitationInfo.extend({
  /** The path of the link, with the secret in its fragment, which browsers don't send. */
  path: z.string(),
});
export type NewInvitationInfo = z.infer<typeof NewInvitationInfo>;
