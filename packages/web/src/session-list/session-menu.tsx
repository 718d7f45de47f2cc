// The menu of a conversation or session: rename, pin, tag, share, export, delete, and what its page adds.

import { Download, Pencil, Pin, PinOff, Tag, Trash2, Users } from 'lucide-react';
import { type ReactNode, Suspense, useMemo, useState } from 'react';
import { useCommands } from '../app/commands.ts';
import { t } from '../i18n/translate.ts';
import { MuteItem } from '../push/mute-item.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogButtons } from '../ui/dialog.tsx';
import { MenuItem, MenuLine, MoreMenu } from '../ui/menu.tsx';
import { ErrorNote } from '../ui/notes.tsx';
import { preloadable } from '../ui/preloadable.tsx';
import { useMarks, useOrganize } from './marks.ts';
import { useSessionChange } from './refresh.ts';
import { exportDialog } from './shared-session-menu.tsx';
import { TagsDialog } from './tags-dialog.tsx';

const shareDialog = preloadable(async () => (await import('../sharing/share-dialog.tsx')).ShareDialog);

interface Renaming {
  readonly heading: string;
  readonly title: string;
  readonly longest: number;
  readonly save: (title: string) => Promise<unknown>;
  /** Its name in the command palette, if it is there. */
  readonly command?: string;
}

export function SessionMenu({
  session,
  label,
  renaming,
  onRemoved,
  className,
  children,
}: {
  /** Its id. It belongs to the person. */
  session: string;
  label: string;
  renaming: Renaming;
  /** Called when it was deleted. The person can still restore it. */
  onRemoved: () => void;
  className?: string;
  /** More items. */
  children?: ReactNode;
}) {
  const [dialog, setDialog] = useState<'rename' | 'share' | 'export' | 'tags'>();
  const close = () => setDialog(undefined);
  const { command } = renaming;
  const isPinned = useMarks().get(session)?.pinned === true;
  const { mark, remove } = useOrganize();
  useCommands(
    useMemo(
      () => (command === undefined ? [] : [{ name: command, run: () => setDialog('rename') }]),
      [command],
    ),
  );
  return (
    <>
      <MoreMenu label={label} className={className}>
        <MenuItem onSelect={() => setDialog('rename')}>
          <Pencil size={16} aria-hidden />
          {t('Rename')}
        </MenuItem>
        <MenuItem onSelect={() => void mark({ ids: [session], pinned: !isPinned })}>
          {isPinned ? <PinOff size={16} aria-hidden /> : <Pin size={16} aria-hidden />}
          {isPinned ? t('Unpin') : t('Pin')}
        </MenuItem>
        <MenuItem onSelect={() => setDialog('tags')}>
          <Tag size={16} aria-hidden />
          {t('Tags …')}
        </MenuItem>
        <MenuItem onSelect={() => setDialog('share')}>
          <Users size={16} aria-hidden />
          {t('Share …')}
        </MenuItem>
        <MenuItem onSelect={() => setDialog('export')}>
          <Download size={16} aria-hidden />
          {t('Export …')}
        </MenuItem>
        <MuteItem session={session} />
        {children}
        <MenuLine />
        <MenuItem
          danger
          onSelect={() => void remove([session]).then((removed) => removed.length > 0 && onRemoved())}
        >
          <Trash2 size={16} aria-hidden />
          {t('Delete')}
        </MenuItem>
      </MoreMenu>
      <Dialog open={dialog === 'rename'} onOpenChange={close} title={renaming.heading}>
        <RenameForm {...renaming} onClose={close} />
      </Dialog>
      {dialog === 'tags' && <TagsDialog ids={[session]} onClose={close} />}
      {dialog === 'share' && (
        <Suspense>
          <shareDialog.Part session={session} open onClose={close} />
        </Suspense>
      )}
      {dialog === 'export' && (
        <Suspense>
          <exportDialog.Part session={session} open onClose={close} />
        </Suspense>
      )}
    </>
  );
}

function RenameForm({ title, longest, save, onClose }: Renaming & { onClose: () => void }) {
  const rename = useSessionChange(save);
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        const wanted = new FormData(event.currentTarget).get('title');
        if (typeof wanted === 'string' && wanted.trim() !== '')
          rename.mutate(wanted.trim(), { onSuccess: onClose });
      }}
    >
      <label className="grid gap-1.5 text-sm">
        {t('Title')}
        <input
          // The person just asked to rename it.
          autoFocus
          required
          name="title"
          defaultValue={title}
          maxLength={longest}
          onFocus={({ target }) => target.select()}
          className="h-10 rounded-lg border border-edge bg-paper px-3 text-base"
        />
      </label>
      {rename.isError && <ErrorNote error={rename.error} />}
      <DialogButtons onCancel={onClose}>
        <Button look="primary" type="submit" disabled={rename.isPending}>
          {t('Rename')}
        </Button>
      </DialogButtons>
    </form>
  );
}
