// Determines which person a request is for.
import { ParleyError, type PersonName } from '@parley/protocol';
import type { People } from '../../../domain/people.ts';
import type { Caller } from './credentials.ts';

/** Where a request can name its person. The header wins over the body, the body over the query. */
export interface PersonFields {
  readonly header: unknown;
  readonly body: unknown;
  readonly query: unknown;
}

/** Throws `invalid` for an unknown or missing person, `forbidden` if the caller may not act for them. */
export function choosePerson(named: PersonFields, caller: Caller, people: People): PersonName {
  const name = named.header ?? fieldOf(named.body) ?? fieldOf(named.query);
  const person = name ?? caller.chosen ?? caller.person ?? onlyOne(people);
  if (person === undefined) {
    throw new ParleyError('invalid', 'Name a person in the header X-Notes-Person.');
  }
  if (caller.person !== undefined && person !== caller.person) {
    throw notTheirs;
  }
  const known = people.list().find((candidate) => candidate === person);
  if (known === undefined || !mayActFor(caller, known, people)) throw noSuchPerson;
  return known;
}

/** Only their own credentials may act for somebody with an account; for others the person does not exist. */
export function mayActFor(caller: Caller, person: PersonName, people: People): boolean {
  if (caller.person !== undefined) return caller.person === person && people.has(person);
  return people.has(person) && !people.hasAccount(person);
}

export const notTheirs = new ParleyError('forbidden', 'These credentials may not act for this person.');
export const noSuchPerson = new ParleyError('invalid', 'There is no such person here.');

function onlyOne(people: People): PersonName | undefined {
  const [only, ...others] = people.list();
  return others.length === 0 ? only : undefined;
}

function fieldOf(source: unknown): unknown {
  return typeof source === 'object' && source !== null && 'person' in source ? source.person : undefined;
}
