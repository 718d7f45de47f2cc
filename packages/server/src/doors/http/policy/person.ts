// Determines which person a request is for.
import { ParleyError, type PersonName } from '@parley/protocol';
import type { Caller } from './credentials.ts';

/** Where a request can name its person. The header wins over the body, the body over the query. */
export interface NamedPerson {
  readonly header: unknown;
  readonly body: unknown;
  readonly query: unknown;
}

/** Throws `invalid` for an unknown or missing person, `forbidden` if the caller may not act for them. */
export function choosePerson(named: NamedPerson, caller: Caller, people: readonly PersonName[]): PersonName {
  const name = named.header ?? fieldOf(named.body) ?? fieldOf(named.query);
  const person = name ?? caller.chosen ?? caller.person ?? (people.length === 1 ? people[0] : undefined);
  if (person === undefined) {
    throw new ParleyError('invalid', 'Name a person in the header X-Notes-Person.');
  }
  if (caller.person !== undefined && person !== caller.person) {
    throw new ParleyError('forbidden', 'These credentials may not act for this person.');
  }
  const known = people.find((candidate) => candidate === person);
  if (known === undefined) throw new ParleyError('invalid', 'There is no such person here.');
  return known;
}

function fieldOf(source: unknown): unknown {
  return typeof source === 'object' && source !== null && 'person' in source ? source.person : undefined;
}
