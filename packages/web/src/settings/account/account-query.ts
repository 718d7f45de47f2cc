// The person's account and its devices, as the server has them, and changes to them.
import type { AccountInfo, DeviceInfo } from '@parley/protocol';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { meQuery } from '../../app/me.tsx';
import { get } from '../../client.ts';

export const accountQuery = queryOptions({
  queryKey: ['settings', 'account'],
  queryFn: ({ signal }) => get<AccountInfo>('/api/account', signal),
});

export const devicesQuery = queryOptions({
  queryKey: ['settings', 'devices'],
  queryFn: async ({ signal }) =>
    (await get<{ devices: readonly DeviceInfo[] }>('/api/account/devices', signal)).devices,
});

/** Where people go after protecting their account. */
export const protectedPath = '/settings/account?protected';

/** Changes the account, and refreshes what the page shows of it. */
export function useAccountChange<Wanted>(change: (wanted: Wanted) => Promise<unknown>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    // Not awaited: the refresh may remove the form that made the change, and its own callbacks would not run.
    onSuccess: () => {
      for (const { queryKey } of [accountQuery, devicesQuery, meQuery])
        void queries.invalidateQueries({ queryKey });
    },
  });
}
