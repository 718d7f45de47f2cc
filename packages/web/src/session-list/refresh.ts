// Reads the lists of sessions again after a change.
import type { QueryClient } from '@tanstack/react-query';

export function refreshLists(queries: QueryClient): void {
  for (const list of ['sessions', 'code-sessions', 'code-session-pages'])
    void queries.invalidateQueries({ queryKey: [list] });
}
