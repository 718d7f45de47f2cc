// A panel next to the page, or over it on a small screen. What it shows is part of the URL, so that a link opens both. Where
// it covers the page, Back closes it.
import { X } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useRef } from 'react';
import { useSearchParams } from 'wouter';
import { IconButton } from './button.tsx';
import { classes } from './classes.ts';

type Address<Name extends string> = Readonly<Partial<Record<Name, string>>>;

/** What the panel shows, by names in the query; undefined if it is closed. It is open if the first name is there. */
export function usePanelAddress<Name extends string>(
  ...names: readonly [Name, ...Name[]]
): [Address<Name> | undefined, (shown: Address<Name> | undefined) => void] {
  const [query, setQuery] = useSearchParams();
  const key = names.join(' ');
  const open = useCallback(
    (shown: Address<Name> | undefined) => {
      if (shown === undefined && isOwnEntry(key)) {
        history.back();
        return;
      }
      const isOwn = shown !== undefined && (isOwnEntry(key) || coversPage());
      setQuery(
        (before) => {
          const after = new URLSearchParams(before);
          for (const name of key.split(' ')) {
            const value = shown?.[name as Name];
            if (value === undefined) after.delete(name);
            else after.set(name, value);
          }
          return after;
        },
        { replace: !isOwn || isOwnEntry(key), state: isOwn ? { panel: key } : null },
      );
    },
    [setQuery, key],
  );
  if (query.get(names[0]) === null) return [undefined, open];
  const entries = names.flatMap((name) => {
    const value = query.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  return [Object.fromEntries(entries) as Address<Name>, open];
}

/** Whether the previous entry in the browser's history is the page without the panel. */
function isOwnEntry(key: string): boolean {
  return (history.state as { panel?: string } | null)?.panel === key;
}

function coversPage(): boolean {
  return window.matchMedia('(max-width: 767px)').matches;
}

export function SidePanel({
  label,
  title,
  closeLabel,
  onClose,
  focusKey,
  className,
  children,
}: {
  label: string;
  title: ReactNode;
  closeLabel: string;
  onClose: () => void;
  /** On a small screen the panel covers the page, so it takes the focus whenever this changes. */
  focusKey: string;
  /** Its width next to the page. */
  className: string;
  children: ReactNode;
}) {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    if (coversPage()) panel.current?.focus();
  }, [focusKey]);
  return (
    <aside
      ref={panel}
      tabIndex={-1}
      aria-label={label}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.preventDefault();
        onClose();
      }}
      className={classes(
        'absolute inset-0 z-30 flex min-w-0 flex-col bg-raised outline-none md:relative md:inset-auto md:z-auto md:shrink-0 md:border-line md:border-l print:static print:w-full print:border-0',
        className,
      )}
    >
      <div className="flex h-12 shrink-0 items-center justify-between gap-2 border-line border-b pr-2 pl-5 print:hidden">
        {title}
        <IconButton label={closeLabel} onClick={onClose}>
          <X size={18} aria-hidden />
        </IconButton>
      </div>
      {children}
    </aside>
  );
}
