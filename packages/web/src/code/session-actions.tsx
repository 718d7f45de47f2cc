// What can be done with a session as a whole: rename, fork, archive, delete.

import type { CodeSessionView } from '@parley/protocol';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Archive, ArchiveRestore, EllipsisVertical, GitFork, Pencil, Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { useCommands } from '../app/commands.tsx';
import { useHere } from '../app/me.tsx';
import { send } from '../client.ts';
import { t } from '../i18n/translate.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Menu, MenuItem, MenuLine } from '../ui/menu.tsx';
import { Refusal } from '../ui/notes.tsx';
import { allKey, pagesKey, titleOf } from './list/use-sessions.ts';

export function SessionActions({ session }: { session: CodeSessionView }) {
  const [, go] = useLocation();
  const { terminal } = useHere();
  const [dialog, setDialog] = useState<'rename' | 'delete'>();
  const fork = useChange((id: string) => send<CodeSessionView>('POST', `/api/claude/sessions/${id}/fork`));
  const archive = useChange((archived: boolean) =>
    send<CodeSessionView>('PATCH', `/api/claude/sessions/${session.id}`, { archived }),
  );
  const forkIt = () => fork.mutate(session.id, { onSuccess: ({ id }) => go(`/code/${id}`) });
  useCommands(
    useMemo(
      () => [
        { name: t('Rename this session'), run: () => setDialog('rename') },
        ...(terminal
          ? [{ name: t('Open the terminal of this session'), run: () => go(`/code/${session.id}/terminal`) }]
          : []),
      ],
      [go, session.id, terminal],
    ),
  );
  return (
    <>
      <Menu
        trigger={
          <IconButton label={t('Session menu')}>
            <EllipsisVertical size={18} aria-hidden />
          </IconButton>
        }
      >
        <MenuItem onSelect={() => setDialog('rename')}>
          <Pencil size={16} aria-hidden />
          {t('Rename')}
        </MenuItem>
        <MenuItem onSelect={forkIt}>
          <GitFork size={16} aria-hidden />
          {t('Fork')}
        </MenuItem>
        <MenuItem onSelect={() => archive.mutate(!session.archived)}>
          {session.archived ? <ArchiveRestore size={16} aria-hidden /> : <Archive size={16} aria-hidden />}
          {session.archived ? t('Unarchive') : t('Archive')}
        </MenuItem>
        <MenuLine />
        <MenuItem danger onSelect={() => setDialog('delete')}>
          <Trash2 size={16} aria-hidden />
          {t('Delete')}
        </MenuItem>
      </Menu>
      {fork.isError && (
        <Dialog open onOpenChange={() => fork.reset()} title={t('Couldn’t fork the session')}>
          <Refusal error={fork.error} onRetry={forkIt} />
        </Dialog>
      )}
      <RenameDialog session={session} open={dialog === 'rename'} onClose={() => setDialog(undefined)} />
      <DeleteDialog session={session} open={dialog === 'delete'} onClose={() => setDialog(undefined)} />
    </>
  );
}

interface DialogProps {
  readonly session: CodeSessionView;
  readonly open: boolean;
  readonly onClose: () => void;
}

function RenameDialog({ session, open, onClose }: DialogProps) {
  const rename = useChange((title: string) =>
    send<CodeSessionView>('PATCH', `/api/claude/sessions/${session.id}`, { title }),
  );
  return (
    <Dialog open={open} onOpenChange={onClose} title={t('Rename the session')}>
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          const title = new FormData(event.currentTarget).get('title');
          if (typeof title === 'string' && title.trim() !== '')
            rename.mutate(title.trim(), { onSuccess: onClose });
        }}
      >
        <input
          // The person just asked to rename it.
          autoFocus
          name="title"
          aria-label={t('Title')}
          defaultValue={session.title}
          maxLength={500}
          onFocus={({ target }) => target.select()}
          className="h-10 rounded-lg border border-line bg-paper px-3 text-sm outline-none focus:border-accent"
        />
        {rename.isError && <Refusal error={rename.error} />}
        <div className="flex justify-end gap-2">
          <Button look="quiet" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button look="primary" type="submit" disabled={rename.isPending}>
            {t('Rename')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function DeleteDialog({ session, open, onClose }: DialogProps) {
  const [, go] = useLocation();
  const remove = useChange((id: string) => send<void>('DELETE', `/api/claude/sessions/${id}`));
  return (
    <Dialog
      open={open}
      onOpenChange={onClose}
      title={t('Delete the session?')}
      description={t(
        '“{title}” and its transcript will be deleted for good. The files it changed stay as they are.',
        { title: titleOf(session) },
      )}
    >
      <div className="grid gap-3">
        {remove.isError && <Refusal error={remove.error} />}
        <div className="flex justify-end gap-2">
          <Button look="quiet" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button
            look="danger"
            disabled={remove.isPending}
            onClick={() =>
              remove.mutate(session.id, {
                onSuccess: () => {
                  onClose();
                  go('/code');
                },
              })
            }
          >
            {t('Delete')}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

/** Changes a session and refreshes the lists. */
function useChange<Wanted, Changed>(change: (wanted: Wanted) => Promise<Changed>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    // Not awaited: the person goes on at once, for example away from a session that no longer exists.
    onSuccess: () => {
      for (const queryKey of [allKey, pagesKey]) void queries.invalidateQueries({ queryKey });
    },
  });
}
