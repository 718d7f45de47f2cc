// What each role may do. This is the only place that says so.
import { Right, type Role } from '@parley/protocol';

const rights: Readonly<Record<Role, readonly Right[]>> = {
  owner: Right.options,
  member: ['all-assistants', 'claude-code', 'terminal', 'trust-folders'],
  // Only the assistants of their account.
  guest: [],
};

export function may(role: Role, right: Right): boolean {
  return rights[role].includes(right);
}

export function rightsOf(role: Role): readonly Right[] {
  return rights[role];
}
