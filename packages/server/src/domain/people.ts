// The people of this server: those in the configuration, and everybody with an account. Kept in memory and always up to
// date, because every request asks.
import type { PersonName, Right, Role } from '@parley/protocol';
import type { Account } from './accounts.ts';
import { rightsOf } from './roles.ts';

export interface People {
  /** Everybody who is not disabled: the people in the configuration first, then the others by the age of their account. */
  list(): readonly PersonName[];
  /** Including disabled people. */
  everybody(): readonly PersonName[];
  /** The people this person may know about. Guests see only themselves, so they can't find out who else is here. */
  visibleTo(person: PersonName): readonly PersonName[];
  has(person: PersonName): boolean;
  /** Also true for a disabled account: nobody else's credentials may act for its person. */
  hasAccount(person: PersonName): boolean;
  /** Whether anybody has an account. */
  hasAccounts(): boolean;
  account(person: PersonName): Account | undefined;
  /** As long as no owner has an account, everybody is an owner. `guest` for an unknown person. */
  roleOf(person: PersonName): Role;
  may(person: PersonName, right: Right): boolean;
  rightsOf(person: PersonName): readonly Right[];
  displayNameOf(person: PersonName): string;
  /** Calls the listener after every change. Returns a function that stops listening. */
  onChange(listener: () => void): () => void;
}

export interface PeopleDirectory extends People {
  /** Replaces only what is given. */
  update(known: {
    readonly configured?: readonly PersonName[];
    readonly accounts?: readonly Account[];
  }): void;
}

export function createPeople(configured: readonly PersonName[]): PeopleDirectory {
  const listeners = new Set<() => void>();
  let names = configured;
  let accounts: ReadonlyMap<PersonName, Account> = new Map();
  let list: readonly PersonName[] = configured;
  let hasOwner = false;

  const people: PeopleDirectory = {
    list: () => list,
    everybody: () => [...new Set([...names, ...accounts.keys()])],
    visibleTo(person) {
      if (people.may(person, 'people')) return people.everybody();
      return people.roleOf(person) === 'guest' ? [person] : list;
    },
    has: (person) => list.includes(person),
    hasAccount: (person) => accounts.has(person),
    hasAccounts: () => accounts.size > 0,
    account: (person) => accounts.get(person),
    roleOf(person) {
      if (!people.has(person)) return 'guest';
      return accounts.get(person)?.role ?? (hasOwner ? 'member' : 'owner');
    },
    may: (person, right) => people.rightsOf(person).includes(right),
    rightsOf: (person) => rightsOf(people.roleOf(person), people.hasAccount(person)),
    displayNameOf: (person) => accounts.get(person)?.displayName ?? person,
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    update(known) {
      names = known.configured ?? names;
      if (known.accounts) accounts = new Map(known.accounts.map((account) => [account.person, account]));
      list = people.everybody().filter((person) => accounts.get(person)?.disabledAt === undefined);
      hasOwner = [...accounts.values()].some(isActiveOwner);
      for (const listener of listeners) listener();
    },
  };
  return people;
}

/** At least one must be left, because only owners can let others in. */
export function isActiveOwner({ role, disabledAt }: Account): boolean {
  return role === 'owner' && disabledAt === undefined;
}
