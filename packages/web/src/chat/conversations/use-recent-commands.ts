// The newest conversations in the command palette, by their names.
import { useMemo } from 'react';
import { useLocation } from 'wouter';
import { useCommands } from '../../app/commands.tsx';
import { titleOf } from './conversation-row.tsx';
import { useConversations } from './list-query.ts';

const most = 30;

export function useRecentCommands(): void {
  const [, go] = useLocation();
  const { data } = useConversations('');
  useCommands(
    useMemo(
      () =>
        (data ?? []).slice(0, most).map((session) => ({
          name: titleOf(session),
          kind: 'Conversation',
          run: () => go(`/chat/${session.id}`),
        })),
      [data, go],
    ),
  );
}
