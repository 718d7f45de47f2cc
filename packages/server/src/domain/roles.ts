// What each role may do. This is the only place that says so.
import { Right, type Role } from '@parley/protocol';

const rights: Readonly<Record<Role, readonly Right[]>> = {
  owner: Right.options,
  member: ['all-assistants', 'claude-code', 'terminal', 'trust-folders', 'share-links'],
  // Only the assistants of their account.
  guest: [],
};

/** The family password alone doesn't give these rights. */
const withAccount: readonly Right[] = ['programs'];

export function rightsOf(role: Role, hasAccount: boolean): readonly Right[] {
  return hasAccount ? rights[role] : rights[role].filter((right) => !withAccount.includes(right));
}
