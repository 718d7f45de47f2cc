// Whom a session is shared with.
import type { Share, ShareLevel } from '@parley/protocol';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { get, send } from '../client.ts';
import { t } from '../i18n/translate.ts';

interface ShareList {
  readonly shares: readonly Share[];
}

const pathOf = (session: string) => `/api/sessions/${session}/shares`;
const keyOf = (session: string) => ['shares', session] as const;

/** Only the owner of a session may ask. */
export function useShares(session: string, isOwner = true) {
  return useQuery({
    queryKey: keyOf(session),
    queryFn: ({ signal }) => get<ShareList>(pathOf(session), signal),
    enabled: isOwner,
  });
}

/** Shares it with somebody, or stops sharing if there is no level. */
export function useShare(session: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ person, level }: { person: string; level: ShareLevel | undefined }) =>
      level === undefined
        ? send<ShareList>('DELETE', `${pathOf(session)}/${encodeURIComponent(person)}`)
        : send<ShareList>('PUT', pathOf(session), { with: person, level }),
    onSuccess: (list) => queries.setQueryData(keyOf(session), list),
  });
}

export function levelName(level: ShareLevel): string {
  return level === 'read' ? t('can read') : t('can take part');
}
