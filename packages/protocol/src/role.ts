// Roles, and the rights that they give.
import { z } from 'zod';

export const Role = z.enum(['owner', 'member', 'guest']);
export type Role = z.infer<typeof Role>;

/** Things that not everybody may do. Everybody may manage their own account, devices and keys. */
export const Right = z.enum([
  'all-assistants',
  'claude-code',
  'terminal',
  'bypass-permissions',
  'trust-folders',
  /** Links that show a session to whoever has them. */
  'share-links',
  'people',
  'keys',
  'budgets',
  'settings',
  /** Settings that start programs or let others in. Needs an account: without one, anybody could pose as the person. */
  'programs',
  'audit',
]);
export type Right = z.infer<typeof Right>;
