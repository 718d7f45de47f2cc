// One conversation in the list.

import { Ellipsis, Pencil, Trash2 } from 'lucide-react';
import { Link } from 'wouter';
import { t } from '../../i18n/translate.ts';
import { IconButton } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { type ListedSession, titleOf } from './list-query.ts';

export function ConversationRow({
  session,
  isCurrent,
  onOpen,
  onRename,
  onDelete,
}: {
  session: ListedSession;
  isCurrent: boolean;
  onOpen: (() => void) | undefined;
  onRename: () => void;
  onDelete: () => void;
}) {
  const title = titleOf(session);
  const found = session.hits?.[0]?.snippet;
  return (
    <li
      className={classes(
        'group/row flex items-center rounded-lg transition-colors',
        isCurrent ? 'bg-accent-wash' : 'hover:bg-sunken',
      )}
    >
      <Link
        href={`/chat/${session.id}`}
        onClick={onOpen}
        aria-current={isCurrent ? 'page' : undefined}
        className="min-w-0 flex-1 rounded-lg px-3 py-2 text-sm"
      >
        <span
          dir="auto"
          className={classes('block truncate', isCurrent ? 'font-medium text-accent' : 'text-ink')}
        >
          {title}
        </span>
        {found !== undefined && <span className="mt-0.5 line-clamp-2 text-faint text-xs">{found}</span>}
      </Link>
      <div className="opacity-0 focus-within:opacity-100 group-hover/row:opacity-100 pointer-coarse:opacity-100 has-data-[state=open]:opacity-100">
        <Menu
          trigger={
            <IconButton label={t('More about {title}', { title })} className="size-8">
              <Ellipsis size={16} aria-hidden />
            </IconButton>
          }
        >
          <MenuItem onSelect={onRename}>
            <Pencil size={15} aria-hidden />
            {t('Rename')}
          </MenuItem>
          <MenuItem danger onSelect={onDelete}>
            <Trash2 size={15} aria-hidden />
            {t('Delete')}
          </MenuItem>
        </Menu>
      </div>
    </li>
  );
}
