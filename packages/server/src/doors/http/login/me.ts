// `/api/me`: who is asking, and for which person.
import { ErrorBody, Me, ParleyError, type PersonName } from '@parley/protocol';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { People } from '../../../domain/people.ts';
import type { App } from '../app.ts';
import { bodyOf, mustBeString } from '../openapi/fields.ts';
import { responses } from '../openapi/responses.ts';
import { choosePerson, noSuchPerson, notTheirs } from '../policy/person.ts';
import type { Logins } from './logins.ts';

/** Describes the given person, or the one that the request names. */
export type WhoIsAsking = (request: FastifyRequest, person?: PersonName) => Me;

export interface MeServices {
  readonly logins: Logins;
  readonly people: People;
  readonly whoIsAsking: WhoIsAsking;
}

const tags = ['login'];
const access = { access: 'caller' } as const;

export function meRoutes(app: App, { logins, people, whoIsAsking }: MeServices): void {
  app.get(
    '/api/me',
    { config: access, schema: { tags, summary: 'Who is asking', response: responses(Me, ErrorBody) } },
    async (request) => whoIsAsking(request),
  );

  app.post(
    '/api/me',
    {
      config: access,
      schema: {
        tags,
        summary: 'Choose the person of this login',
        body: z.strictObject({ person: z.string(mustBeString('person')) }, { error: bodyOf('person') }),
        response: responses(Me, ErrorBody),
      },
    },
    async (request) => {
      const { caller } = request;
      const { person } = request.body;
      const isOwn = caller?.person === person;
      if (!people.has(person) || (people.hasAccount(person) && !isOwn)) throw noSuchPerson;
      if (caller?.login === undefined) throw needsLogin;
      if (caller.person !== undefined && !isOwn) throw notTheirs;
      if (!isOwn) {
        await logins.choosePerson(caller.login, person);
        request.caller = { ...caller, chosen: person };
      }
      return whoIsAsking(request, person);
    },
  );
}

const needsLogin = new ParleyError(
  'conflict',
  'Only a login remembers its person. With an API key, send the person in the header X-Notes-Person.',
);

export interface MeSources extends Pick<Me, 'demo' | 'version'> {
  readonly people: People;
  readonly firstSteps?: (() => boolean) | undefined;
  readonly mayUseTerminal?: ((person: PersonName) => boolean) | undefined;
}

/** The person is null if requests have to name one. */
export function whoIsAsking({ people, firstSteps, mayUseTerminal, ...about }: MeSources): WhoIsAsking {
  return (request, given) => {
    const person = given ?? personOf(request, people);
    const role = person === null ? null : people.roleOf(person);
    return {
      person,
      people: choices(request, people),
      ...about,
      terminal: person !== null && people.may(person, 'terminal') && mayUseTerminal?.(person) === true,
      role,
      rights: person === null ? [] : [...people.rightsOf(person)],
      account: person !== null && people.hasAccount(person),
      displayName: person === null ? null : people.displayNameOf(person),
      firstSteps: person !== null && people.may(person, 'settings') && firstSteps?.() === true,
    };
  };
}

/** A key of one person without an account also sees the others: clients rely on it. */
function choices({ caller }: FastifyRequest, people: People): PersonName[] {
  if (caller?.person !== undefined && people.hasAccount(caller.person)) return [caller.person];
  return people.list().filter((person) => !people.hasAccount(person));
}

function personOf({ caller, headers, query }: FastifyRequest, people: People): PersonName | null {
  try {
    const named = { header: headers['x-notes-person'], body: undefined, query };
    return caller ? choosePerson(named, caller, people) : null;
  } catch {
    return null;
  }
}
