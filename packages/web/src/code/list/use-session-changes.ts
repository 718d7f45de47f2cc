// Changes to sessions; lists are asked for anew afterwards.
import type { CodeSessionView } from '@parley/protocol';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { send } from '../../api/http.ts';
import { allKey, pagesKey } from './use-sessions.ts';

export function useRename() {
  return useChange(({ id, title }: { id: string; title: string }) =>
    send<CodeSessionView>('PATCH', `/api/claude/sessions/${id}`, { title }),
  );
}

export function useArchive() {
  return useChange(({ id, archived }: { id: string; archived: boolean }) =>
    send<CodeSessionView>('PATCH', `/api/claude/sessions/${id}`, { archived }),
  );
}

export function useFork() {
  return useChange((id: string) => send<CodeSessionView>('POST', `/api/claude/sessions/${id}/fork`));
}

export function useDelete() {
  return useChange((id: string) => send<void>('DELETE', `/api/claude/sessions/${id}`));
}

function useChange<Wanted, Changed>(change: (wanted: Wanted) => Promise<Changed>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    // Not waited for: whoever changed something goes on at once, such as away from what is no longer there.
    onSuccess: () => {
      for (const queryKey of [allKey, pagesKey]) void queries.invalidateQueries({ queryKey });
    },
  });
}
