// `/api/me`: who is asking, and for which person.
import { ErrorBody, Me, ParleyError, type PersonName } from '@parley/protocol';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { App } from '../app.ts';
import { answers } from '../openapi/answers.ts';
import { bodyOf, mustBeString } from '../openapi/fields.ts';
import { choosePerson } from '../policy/person.ts';
import type { Logins } from './logins.ts';

/** For the person the request names, or for the one given. */
export type WhoIsAsking = (request: FastifyRequest, person?: PersonName) => Me;

export interface MeServices {
  readonly logins: Logins;
  readonly people: readonly PersonName[];
  readonly whoIsAsking: WhoIsAsking;
}

const tags = ['login'];
const access = { access: 'caller' } as const;

export function meRoutes(app: App, { logins, people, whoIsAsking }: MeServices): void {
  app.get(
    '/api/me',
    { config: access, schema: { tags, summary: 'Who is asking', response: answers(Me, ErrorBody) } },
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
        response: answers(Me, ErrorBody),
      },
    },
    async (request) => {
      const { caller } = request;
      const person = people.find((name) => name === request.body.person);
      if (person === undefined) throw new ParleyError('invalid', 'There is no such person here.');
      if (caller?.login === undefined) throw needsLogin;
      await logins.choosePerson(caller.login, person);
      request.caller = { ...caller, chosen: person };
      return whoIsAsking(request, person);
    },
  );
}

const needsLogin = new ParleyError(
  'conflict',
  'Only a login remembers its person. With an API key, send the person in the header X-Notes-Person.',
);

/** The person is null if requests have to name one. */
export function whoIsAsking(
  about: Omit<Me, 'person' | 'terminal'>,
  mayUseTerminal: (person: PersonName) => boolean = () => false,
): WhoIsAsking {
  return (request, given) => {
    const person = given ?? personOf(request, about.people);
    return { person, ...about, terminal: person !== null && mayUseTerminal(person) };
  };
}

function personOf(
  { caller, headers, query }: FastifyRequest,
  people: readonly PersonName[],
): PersonName | null {
  try {
    const named = { header: headers['x-notes-person'], body: undefined, query };
    return caller ? choosePerson(named, caller, people) : null;
  } catch {
    return null;
  }
}
