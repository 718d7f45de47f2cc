// What the person wants to be notified about, on all of their devices.
import type { PushChoices, PushState } from '@parley/protocol';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { get, send } from '../client.ts';

export const pushQuery = queryOptions({
  queryKey: ['push'],
  queryFn: ({ signal }) => get<PushState>('/api/push', signal),
});

function usePushChange<Wanted>(change: (wanted: Wanted) => Promise<PushState>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: (state) => queries.setQueryData(pushQuery.queryKey, state),
  });
}

export function useChoose() {
  return usePushChange((choices: PushChoices) => send<PushState>('PUT', '/api/push/settings', choices));
}

export function useMute(session: string) {
  return usePushChange((muted: boolean) =>
    send<PushState>(muted ? 'PUT' : 'DELETE', `/api/push/muted/${encodeURIComponent(session)}`),
  );
}
