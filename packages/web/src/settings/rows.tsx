// A list in a card. Each row has a name, details, and buttons or menus.
import type { ReactNode } from 'react';

export function Rows({ children }: { children: ReactNode }) {
  return <ul className="-my-3 divide-y divide-line">{children}</ul>;
}

export function Row({
  icon,
  name,
  badges,
  details,
  children,
}: {
  icon: ReactNode;
  name: ReactNode;
  /** Next to the name. */
  badges?: ReactNode;
  /** Shown in one line. */
  details: readonly string[];
  /** Buttons and menus. */
  children?: ReactNode;
}) {
  return (
    <li className="flex items-center gap-3 py-3">
      <span className="grid size-9 shrink-0 place-items-center rounded-full bg-sunken text-soft">{icon}</span>
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="min-w-0 break-words font-medium text-sm">{name}</span>
          {badges}
        </div>
        <p className="text-faint text-xs leading-relaxed">{details.join(' · ')}</p>
      </div>
      {children}
    </li>
  );
}
