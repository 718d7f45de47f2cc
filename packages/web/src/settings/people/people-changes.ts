// The open invitations, and changes to people and invitations.
import type { InvitationInfo, NewInvitationInfo, Role } from '@parley/protocol';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { meQuery } from '../../app/me.tsx';
import { peopleQuery } from '../../app/people.ts';
import { get, send } from '../../client.ts';

export const invitationsQuery = queryOptions({
  queryKey: ['people', 'invitations'],
  queryFn: async ({ signal }) =>
    (await get<{ invitations: readonly InvitationInfo[] }>('/api/invitations', signal)).invitations,
});

/** What somebody may do. Only a guest has a list of assistants. */
export interface RoleChoice {
  readonly role: Role;
  readonly assistants: readonly string[];
}

/** Changes people or invitations, and refreshes what the page shows of them. People may also change themselves. */
export function usePeopleChange<Wanted, Changed>(change: (wanted: Wanted) => Promise<Changed>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => {
      for (const { queryKey } of [peopleQuery, invitationsQuery, meQuery])
        void queries.invalidateQueries({ queryKey });
    },
  });
}

export function useInvite() {
  return usePeopleChange(({ name, role, assistants }: RoleChoice & { readonly name: string }) =>
    send<NewInvitationInfo>('POST', '/api/invitations', { name, role, assistants }),
  );
}
