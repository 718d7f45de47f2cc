// The menu of a session: rename, fork, archive, delete.

import type { CodeSessionView } from '@parley/protocol';
import { Archive, ArchiveRestore, GitFork } from 'lucide-react';
import { useMemo } from 'react';
import { useLocation } from 'wouter';
import { useCommands } from '../app/commands.ts';
import { useHere } from '../app/me.tsx';
import { send } from '../client.ts';
import { t } from '../i18n/translate.ts';
import { useSessionChange } from '../session-list/refresh.ts';
import { SessionMenu } from '../session-list/session-menu.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { MenuItem } from '../ui/menu.tsx';
import { ErrorNote } from '../ui/notes.tsx';

export function SessionActions({ session }: { session: CodeSessionView }) {
  const [, go] = useLocation();
  const { terminal } = useHere();
  const path = `/api/claude/sessions/${session.id}`;
  const fork = useSessionChange(() => send<CodeSessionView>('POST', `${path}/fork`));
  const archive = useSessionChange((archived: boolean) => send<CodeSessionView>('PATCH', path, { archived }));
  const forkIt = () => fork.mutate(undefined, { onSuccess: ({ id }) => go(`/code/${id}`) });
  useCommands(
    useMemo(
      () =>
        terminal
          ? [{ name: t('Open this session in the terminal'), run: () => go(`/code/${session.id}/terminal`) }]
          : [],
      [go, session.id, terminal],
    ),
  );
  return (
    <>
      <SessionMenu
        session={session.id}
        label={t('Session menu')}
        renaming={{
          heading: t('Rename session'),
          title: session.title,
          longest: 500,
          save: (title) => send('PATCH', path, { title }),
          command: t('Rename this session'),
        }}
        onRemoved={() => go('/code')}
      >
        <MenuItem onSelect={forkIt}>
          <GitFork size={16} aria-hidden />
          {t('Fork')}
        </MenuItem>
        <MenuItem onSelect={() => archive.mutate(!session.archived)}>
          {session.archived ? <ArchiveRestore size={16} aria-hidden /> : <Archive size={16} aria-hidden />}
          {session.archived ? t('Unarchive') : t('Archive')}
        </MenuItem>
      </SessionMenu>
      {fork.isError && (
        <Dialog open onOpenChange={() => fork.reset()} title={t('Couldn’t fork the session')}>
          <ErrorNote error={fork.error} onRetry={forkIt} />
        </Dialog>
      )}
    </>
  );
}
