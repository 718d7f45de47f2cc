// The line above a conversation: what it is about, who answers, what it cost so far.
import { PanelLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '../ui/button.tsx';

export function ChatHeader({
  title,
  onList,
  children,
}: {
  /** None before anything is said. */
  title?: string;
  onList: () => void;
  children?: ReactNode;
}) {
  return (
    <div className="flex h-12 shrink-0 items-center gap-2 px-3 sm:px-4">
      <IconButton label="Show the conversations" className="xl:hidden" onClick={onList}>
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
