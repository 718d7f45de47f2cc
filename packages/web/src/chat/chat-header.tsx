// The line above a chat: its title, who answers, and its cost so far.

import { PanelLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../i18n/translate.ts';
import { IconButton } from '../ui/button.tsx';

export function ChatHeader({
  title,
  onList,
  children,
}: {
  /** A new chat has none. */
  title?: string;
  onList: () => void;
  children?: ReactNode;
}) {
  return (
    <div className="flex h-12 shrink-0 items-center gap-2 px-3 sm:px-4">
      <IconButton label={t('Show conversations')} className="xl:hidden" onClick={onList}>
        <PanelLeft size={18} aria-hidden />
      </IconButton>
      <div className="min-w-0 flex-1">
        {title !== undefined && (
          <h1 dir="auto" className="truncate font-medium text-sm">
            {title}
          </h1>
        )}
      </div>
      {children}
    </div>
  );
}
