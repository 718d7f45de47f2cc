// Everybody on this server, with the names that people see.
import type { PersonInfo } from '@parley/protocol';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { get } from '../client.ts';

const nobody: readonly PersonInfo[] = [];

export const peopleQuery = queryOptions({
  queryKey: ['people', 'everybody'],
  queryFn: async ({ signal }) => (await get<{ people: readonly PersonInfo[] }>('/api/people', signal)).people,
});

/** Empty until it is loaded. Guests see only themselves. */
export function usePeople(): readonly PersonInfo[] {
  const { data } = useQuery(peopleQuery);
  return data ?? nobody;
}

export function useDisplayName(): (person: string) => string {
  const people = usePeople();
  return (person) => people.find((one) => one.person === person)?.displayName ?? person;
}
