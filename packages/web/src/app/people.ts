// Everybody on this server, by the name that people see.
import type { PersonInfo } from '@parley/protocol';
import { useQuery } from '@tanstack/react-query';
import { get } from '../client.ts';

const nobody: readonly PersonInfo[] = [];

/** Empty until it is loaded. Guests see only themselves. */
export function usePeople(): readonly PersonInfo[] {
  const { data } = useQuery({
    queryKey: ['people', 'everybody'],
    queryFn: ({ signal }) => get<{ people: readonly PersonInfo[] }>('/api/people', signal),
  });
  return data?.people ?? nobody;
}

export function useDisplayName(): (person: string) => string {
  const people = usePeople();
  return (person) => people.find((one) => one.person === person)?.displayName ?? person;
}
