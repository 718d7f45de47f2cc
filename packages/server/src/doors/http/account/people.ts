// `/api/people` and `/api/invitations`: who is here, what they may do, and inviting others.
import {
  ErrorBody,
  InvitationInfo,
  NewInvitationInfo,
  ParleyError,
  PersonInfo,
  PersonName,
  Role,
} from '@parley/protocol';
import { z } from 'zod';
import type { AccountActions } from '../../../domain/account-actions.ts';
import type { Invitation } from '../../../domain/accounts.ts';
import type { People } from '../../../domain/people.ts';
import type { App } from '../app.ts';
import { noContent, responses } from '../openapi/responses.ts';
import { actorOf } from './own-account.ts';

export interface PeopleServices {
  readonly accounts: AccountActions;
  readonly people: People;
  readonly assistants: () => readonly { readonly name: string }[];
  /** The path prefix that Parley is served under. */
  readonly basePath: string;
}

const tags = ['people'];
const config = { right: 'people', grants: true } as const;
const OnePerson = z.object({ person: z.string().max(32) });
const AllPeople = z.object({ people: z.array(PersonInfo) });

export function peopleRoutes(app: App, services: PeopleServices): void {
  const { accounts, people, basePath } = services;
  const Assistants = z.array(z.string()).max(100).describe('The assistants that a guest may use.');

  app.get(
    '/api/people',
    {
      schema: {
        tags,
        summary: 'Who is here; guests see only themselves',
        response: responses(AllPeople, ErrorBody),
      },
    },
    async ({ person }) => ({ people: people.visibleTo(person).map(infoOf) }),
  );

  app.patch(
    '/api/people/:person',
    {
      config,
      schema: {
        tags,
        summary: 'Change the role of somebody with an account, or disable it',
        params: OnePerson,
        body: z.strictObject({
          role: Role.optional(),
          assistants: Assistants.optional(),
          disabled: z.boolean().optional(),
        }),
        response: responses(PersonInfo, ErrorBody),
      },
    },
    async (request) => {
      const { person } = request.params;
      const { role, assistants, disabled } = request.body;
      const account = people.account(person);
      if (!account) throw new ParleyError('not_found', 'This person has no account.');
      if (role !== undefined || assistants !== undefined) {
        const wanted = known(assistants ?? account.assistants);
        await accounts.changeRole(person, role ?? account.role, wanted, actorOf(request));
      }
      if (disabled !== undefined) await accounts.setDisabled(person, disabled, actorOf(request));
      return infoOf(person);
    },
  );

  app.delete(
    '/api/people/:person',
    {
      config,
      schema: {
        tags,
        summary: 'Remove the account of a person; their notes and sessions stay',
        description: 'Somebody from the configuration goes back to the family password.',
        params: OnePerson,
        response: noContent,
      },
    },
    async (request, reply) => {
      await accounts.remove(request.params.person, actorOf(request));
      return reply.code(204).send(null);
    },
  );

  app.get(
    '/api/invitations',
    {
      config: { right: 'people' },
      schema: {
        tags,
        summary: 'The open invitations',
        response: responses(z.object({ invitations: z.array(InvitationInfo) }), ErrorBody),
      },
    },
    async () => ({ invitations: (await accounts.invitations()).map(invitationInfo) }),
  );

  app.post(
    '/api/invitations',
    {
      config,
      schema: {
        tags,
        summary: 'Invite somebody; the link works once, for seven days',
        description:
          'For somebody with an account, it replaces their credentials: when they use it, everything they logged in with before ends, and so do their API keys and the keys and invitations they made.',
        body: z.strictObject({
          name: PersonName.describe('Who is invited. The field `person` names who invites.'),
          role: Role.default('member'),
          assistants: Assistants.default([]),
        }),
        response: responses(NewInvitationInfo, ErrorBody),
      },
    },
    async (request) => {
      const { name: person, role, assistants } = request.body;
      if (role === 'guest' && assistants.length === 0) throw guestsNeedAssistants;
      const wanted = { person, role, assistants: known(assistants) };
      const { secret, invitation } = await accounts.invite(wanted, actorOf(request));
      return { ...invitationInfo(invitation), path: `${basePath}/invite#${secret}` };
    },
  );

  app.delete(
    '/api/invitations/:id',
    {
      config,
      schema: {
        tags,
        summary: 'Withdraw an invitation',
        params: z.object({ id: z.string().max(64) }),
        response: noContent,
      },
    },
    async (request, reply) => {
      if (!(await accounts.withdraw(request.params.id, actorOf(request))))
        throw new ParleyError('not_found', 'There is no such invitation.');
      return reply.code(204).send(null);
    },
  );

  function infoOf(person: PersonName): PersonInfo {
    const account = people.account(person);
    return {
      person,
      displayName: people.displayNameOf(person),
      role: account?.role ?? people.roleOf(person),
      account: account !== undefined,
      disabled: account?.disabledAt !== undefined,
      assistants: [...(account?.assistants ?? [])],
    };
  }

  function known(names: readonly string[]): readonly string[] {
    const unknown = names.find((name) => !services.assistants().some((assistant) => assistant.name === name));
    if (unknown === undefined) return names;
    const all = services
      .assistants()
      .map(({ name }) => name)
      .join(', ');
    throw new ParleyError('invalid', `There is no assistant ${unknown}. Choose from: ${all}.`);
  }
}

const guestsNeedAssistants = new ParleyError(
  'invalid',
  'Choose at least one assistant that the guest may use.',
);

function invitationInfo(invitation: Invitation): InvitationInfo {
  const { id, person, role, assistants, createdBy = null, createdAt, expiresAt } = invitation;
  return { id, person, role, assistants: [...assistants], createdBy, createdAt, expiresAt };
}
