// Reads the lists of sessions again after a change.
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';

export function refreshLists(queries: QueryClient): void {
  for (const list of ['sessions', 'code-sessions', 'code-session-pages'])
    void queries.invalidateQueries({ queryKey: [list] });
}

/** Changes a session and refreshes the lists. */
export function useSessionChange<Wanted, Changed>(change: (wanted: Wanted) => Promise<Changed>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    // Not awaited: the person continues right away, for example by leaving a session that no longer exists.
    onSuccess: () => refreshLists(queries),
  });
}
