// A list of conversations or sessions: start one, search, open one, scroll for more.

import { Search } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, type Ref, useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { t } from '../i18n/translate.ts';
import { Button } from '../ui/button.tsx';
import { classes } from '../ui/classes.ts';
import { ErrorNote, Skeleton, Spinner } from '../ui/notes.tsx';
import { type Selection, SelectionBar } from './selection.tsx';

interface ListQuery {
  readonly isPending: boolean;
  readonly isError: boolean;
  readonly error: unknown;
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly refetch: () => unknown;
  readonly fetchNextPage: () => unknown;
}

export interface SessionGroup<Item> {
  readonly heading?: string;
  readonly items: readonly Item[];
}

export function SessionList<Item extends { readonly id: string }>({
  label,
  start,
  search: { label: searchLabel, words, onWords, field },
  filters,
  query,
  groups,
  empty,
  current,
  onOpen,
  replaces = false,
  selection,
  children,
}: {
  label: string;
  start: { readonly name: string; readonly icon: ReactNode; readonly run: () => void };
  search: {
    readonly label: string;
    readonly words: string;
    readonly onWords: (words: string) => void;
    readonly field?: Ref<HTMLInputElement>;
  };
  filters?: ReactNode;
  query: ListQuery;
  groups: readonly SessionGroup<Item>[];
  /** Shown instead of the groups when none has an item. */
  empty: ReactNode;
  /** The open one. */
  current: string | undefined;
  onOpen?: (() => void) | undefined;
  /** Opening an item replaces the list in the browser's history. */
  replaces?: boolean;
  /** Set while the person selects several. */
  selection?: Selection | undefined;
  /** `isFixed`: it can't be selected, because it belongs to somebody else. */
  children: (item: Item) => { href: string; content: ReactNode; menu?: ReactNode; isFixed?: boolean };
}) {
  const shown = groups.filter(({ items }) => items.length > 0);
  return (
    <nav aria-label={label} onKeyDown={moveFocus} className="flex h-full min-h-0 flex-col">
      <div className="grid grid-cols-1 gap-2 p-3">
        {!replaces && (
          <button
            type="button"
            onClick={skip}
            className="sr-only rounded-lg bg-accent px-3 py-2 text-on-accent text-sm focus:not-sr-only focus:px-3 focus:py-2"
          >
            {t('Skip the list')}
          </button>
        )}
        <Button className="justify-start" onClick={start.run}>
          {start.icon}
          {start.name}
        </Button>
        <div className="flex items-center gap-2 rounded-lg border border-line bg-raised px-3 focus-within:border-accent">
          <Search size={15} className="shrink-0 text-faint" aria-hidden />
          <input
            ref={field}
            type="search"
            aria-label={searchLabel}
            placeholder={searchLabel}
            value={words}
            onChange={({ target }) => onWords(target.value)}
            className="h-9 w-full min-w-0 bg-transparent text-sm outline-none placeholder:text-faint pointer-coarse:text-base [&::-webkit-search-cancel-button]:grayscale"
          />
        </div>
        {selection ? <SelectionBar {...selection} /> : filters}
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-2 pb-4">
        {query.isPending && (
          <div className="grid gap-2 p-2">
            {[0, 1, 2, 3].map((at) => (
              <Skeleton key={at} className="h-8" />
            ))}
          </div>
        )}
        {query.isError && <ErrorNote error={query.error} onRetry={() => void query.refetch()} />}
        {shown.length === 0 && !query.isPending && !query.isError && (
          <div className="grid justify-items-center gap-3 px-3 py-8 text-center text-faint text-sm">
            {empty}
          </div>
        )}
        {shown.map(({ heading, items }) => (
          <section key={heading ?? ''} aria-label={heading} className="mb-3">
            {heading !== undefined && (
              <h2 className="px-3 py-1.5 font-medium text-faint text-xs">{heading}</h2>
            )}
            <ul aria-label={heading === undefined ? label : `${label}: ${heading}`}>
              {items.map((item) => (
                <Row
                  key={item.id}
                  isCurrent={item.id === current}
                  onOpen={onOpen}
                  replaces={replaces}
                  selected={selection?.ids.has(item.id)}
                  onToggle={selection && (() => selection.toggle(item.id))}
                  {...children(item)}
                />
              ))}
            </ul>
          </section>
        ))}
        {query.hasNextPage && !query.isError && <More {...query} />}
      </div>
    </nav>
  );
}

/** Moves the focus to the composer, or to the rest of the page. */
function skip(): void {
  const after = document.getElementById('composer') ?? document.getElementById('page');
  after?.focus();
}

/** The arrow keys move between the search field and the rows, Home and End to the first and the last row. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const { target, key, currentTarget } = event;
  if (!(target instanceof HTMLElement) || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey)
    return;
  const field = target instanceof HTMLInputElement ? target : undefined;
  const rows = [...currentTarget.querySelectorAll<HTMLElement>('li > a')];
  const at = rows.indexOf(target);
  if (at === -1 && (!field || key !== 'ArrowDown')) return;
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[key];
  if (next === undefined) return;
  event.preventDefault();
  const place = next < 0 ? currentTarget.querySelector<HTMLElement>('input') : rows[next];
  place?.focus();
}

function Row({
  href,
  isCurrent,
  onOpen,
  replaces,
  selected,
  onToggle,
  content,
  menu,
  isFixed = false,
}: {
  href: string;
  selected: boolean | undefined;
  onToggle: (() => void) | undefined;
  isFixed?: boolean;
  isCurrent: boolean;
  onOpen: (() => void) | undefined;
  replaces: boolean;
  content: ReactNode;
  menu?: ReactNode;
}) {
  return (
    <li
      className={classes(
        // There may be thousands of rows, so the browser doesn't lay out those out of view.
        'group/row flex items-center rounded-lg transition-colors [contain-intrinsic-height:auto_3rem] [content-visibility:auto]',
        isCurrent ? 'bg-accent-wash' : 'hover:bg-sunken',
      )}
    >
      {onToggle && !isFixed && (
        <label className="grid size-9 shrink-0 cursor-pointer place-items-center pointer-coarse:size-11">
          <span className="sr-only">{t('Select')}</span>
          <input
            type="checkbox"
            checked={selected === true}
            onChange={onToggle}
            className="size-4 accent-accent"
          />
        </label>
      )}
      <Link
        href={href}
        replace={replaces}
        onClick={onOpen}
        aria-current={isCurrent ? 'page' : undefined}
        className={classes(
          'min-w-0 flex-1 rounded-lg px-3 py-2 text-sm -outline-offset-2',
          isCurrent && 'font-medium text-accent',
        )}
      >
        {content}
      </Link>
      {menu !== undefined && !onToggle && (
        <div className="opacity-0 focus-within:opacity-100 group-hover/row:opacity-100 pointer-coarse:opacity-100 has-data-[state=open]:opacity-100">
          {menu}
        </div>
      )}
    </li>
  );
}

/** Fetches the next page when the reader gets near. */
function More({
  isFetchingNextPage,
  fetchNextPage,
}: Pick<ListQuery, 'isFetchingNextPage' | 'fetchNextPage'>) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!place.current || isFetchingNextPage) return undefined;
    const watch = new IntersectionObserver(([entry]) => entry?.isIntersecting && void fetchNextPage(), {
      root: place.current.parentElement,
      rootMargin: '600px',
    });
    watch.observe(place.current);
    return () => watch.disconnect();
  }, [isFetchingNextPage, fetchNextPage]);
  return (
    <div ref={place} className="p-3">
      <Spinner label={t('Loading more …')} />
    </div>
  );
}
