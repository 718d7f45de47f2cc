// Stores that somebody has finished or skipped the first steps. Then nobody sees them again.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { meQuery } from '../app/me.tsx';
import { send } from '../client.ts';
import { errorText } from '../i18n/error-text.ts';
import { changesOn } from '../settings/form/saving.ts';
import { settingsQuery } from '../settings/form/view.ts';
import { showNotice } from '../ui/notice.tsx';

export function useEndFirstSteps() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      const view = await queries.fetchQuery({ ...settingsQuery, staleTime: 0 });
      await send('PATCH', '/api/settings', { changes: changesOn(view, { firstSteps: false }) });
      await queries.invalidateQueries({ queryKey: meQuery.queryKey });
    },
    onError: (error) => showNotice(errorText(error)),
  });
}
