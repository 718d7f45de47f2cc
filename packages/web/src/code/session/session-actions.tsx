// What can be done with a session as a whole: rename, fork, archive, delete.
import type { CodeSessionView } from '@parley/protocol';
import { Archive, ArchiveRestore, EllipsisVertical, GitFork, Pencil, Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { useCommands } from '../../app/commands.tsx';
import { useHere } from '../../app/me.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx';
import { Refusal } from '../../ui/notes.tsx';
import { titleOf } from '../list/title.ts';
import { useArchive, useDelete, useFork, useRename } from '../list/use-session-changes.ts';

export function SessionActions({ session }: { session: CodeSessionView }) {
  const [, go] = useLocation();
  const { terminal } = useHere();
  const [dialog, setDialog] = useState<'rename' | 'delete'>();
  const fork = useFork();
  const archive = useArchive();
  const forkIt = () => fork.mutate(session.id, { onSuccess: ({ id }) => go(`/code/${id}`) });
  useCommands(
    useMemo(
      () => [
        { name: 'Rename this session', run: () => setDialog('rename') },
        ...(terminal
          ? [{ name: 'Open the terminal of this session', run: () => go(`/code/${session.id}/terminal`) }]
          : []),
      ],
      [go, session.id, terminal],
    ),
  );
  return (
    <>
      <Menu
        trigger={
          <IconButton label="Session menu">
            <EllipsisVertical size={18} aria-hidden />
          </IconButton>
        }
      >
        <MenuItem onSelect={() => setDialog('rename')}>
          <Pencil size={16} aria-hidden />
          Rename
        </MenuItem>
        <MenuItem onSelect={forkIt}>
          <GitFork size={16} aria-hidden />
          Fork
        </MenuItem>
        <MenuItem onSelect={() => archive.mutate({ id: session.id, archived: !session.archived })}>
          {session.archived ? <ArchiveRestore size={16} aria-hidden /> : <Archive size={16} aria-hidden />}
          {session.archived ? 'Take out of the archive' : 'Archive'}
        </MenuItem>
        <MenuLine />
        <MenuItem danger onSelect={() => setDialog('delete')}>
          <Trash2 size={16} aria-hidden />
          Delete
        </MenuItem>
      </Menu>
      {fork.isError && (
        <Dialog open onOpenChange={() => fork.reset()} title="The session could not be forked">
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
  const rename = useRename();
  return (
    <Dialog open={open} onOpenChange={onClose} title="Rename the session">
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          const title = new FormData(event.currentTarget).get('title');
          if (typeof title === 'string' && title.trim() !== '')
            rename.mutate({ id: session.id, title: title.trim() }, { onSuccess: onClose });
        }}
      >
        <input
          // To rename is what the person asked for just before.
          autoFocus
          name="title"
          aria-label="Title"
          defaultValue={session.title}
          maxLength={500}
          onFocus={({ target }) => target.select()}
          className="h-10 rounded-lg border border-line bg-paper px-3 text-sm outline-none focus:border-accent"
        />
        {rename.isError && <Refusal error={rename.error} />}
        <div className="flex justify-end gap-2">
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button look="primary" type="submit" disabled={rename.isPending}>
            Rename
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function DeleteDialog({ session, open, onClose }: DialogProps) {
  const [, go] = useLocation();
  const remove = useDelete();
  return (
    <Dialog
      open={open}
      onOpenChange={onClose}
      title="Delete the session?"
      description={`“${titleOf(session)}” and its transcript are deleted for good. Files that it changed stay as they are.`}
    >
      <div className="grid gap-3">
        {remove.isError && <Refusal error={remove.error} />}
        <div className="flex justify-end gap-2">
          <Button look="quiet" onClick={onClose}>
            Cancel
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
            Delete
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
