// The list of sessions. Only the rows in view are drawn.

import { useVirtualizer } from '@tanstack/react-virtual';
import { Plus, Search, SquareTerminal } from 'lucide-react';
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useShortcuts } from '../../app/shortcuts.ts';
import { t } from '../../i18n/translate.ts';
import { Button } from '../../ui/button.tsx';
import { Empty, Refusal, Skeleton } from '../../ui/notes.tsx';
import { ListFilters } from './list-filters.tsx';
import { SessionRow } from './session-row.tsx';
import { everything, type ListFilter, useSessions } from './use-sessions.ts';

const rowHeight = 76;

export function SessionList({ openId }: { openId: string | undefined }) {
  const [, go] = useLocation();
  const [filter, setFilter] = useState(everything);
  const search = useRef<HTMLInputElement>(null);
  const { sessions, isPending, isError, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } =
    useSessions(useDeferredValue(filter));
  useShortcuts(
    useMemo(
      () => [
        { keys: 'N', does: t('New session'), run: () => go('/code/new') },
        { keys: '/', does: t('Search sessions'), run: () => search.current?.focus() },
      ],
      [go],
    ),
  );

  const scroller = useRef<HTMLDivElement>(null);
  const list = useVirtualizer({
    count: sessions.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => sessions[index]?.id ?? index,
    overscan: 8,
  });
  const shown = list.getVirtualItems();
  const last = shown.at(-1)?.index ?? -1;
  useEffect(() => {
    if (last >= sessions.length - 15 && hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [last, sessions.length, hasNextPage, isFetchingNextPage, fetchNextPage]);

  return (
    <section aria-label={t('Sessions')} className="flex h-full min-h-0 flex-col">
      <div className="grid grid-cols-1 gap-2 p-3">
        <Button look="primary" onClick={() => go('/code/new')}>
          <Plus size={17} aria-hidden />
          {t('New session')}
        </Button>
        <div className="flex items-center gap-2 rounded-lg border border-line bg-paper px-2.5 focus-within:border-accent">
          <Search size={16} className="shrink-0 text-faint" aria-hidden />
          <input
            ref={search}
            type="search"
            aria-label={t('Search sessions')}
            placeholder={t('Search sessions')}
            value={filter.q}
            onChange={(event) => setFilter({ ...filter, q: event.target.value })}
            className="h-9 w-full bg-transparent text-sm outline-none placeholder:text-faint [&::-webkit-search-cancel-button]:grayscale"
          />
        </div>
        <ListFilters filter={filter} sessions={sessions} onFilter={setFilter} />
      </div>
      <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-2 pb-3">
        {isPending && <Loading />}
        {isError && <Refusal error={error} onRetry={() => void refetch()} />}
        {!isPending && !isError && sessions.length === 0 && <Nothing filter={filter} onFilter={setFilter} />}
        <ul aria-label={t('Sessions')} className="relative" style={{ height: list.getTotalSize() }}>
          {shown.map(({ key, index, start }) => {
            const session = sessions[index];
            return (
              session && (
                <li
                  key={key}
                  data-index={index}
                  ref={list.measureElement}
                  className="absolute inset-x-0 top-0"
                  style={{ transform: `translateY(${start}px)` }}
                >
                  <SessionRow session={session} isOpen={session.id === openId} />
                </li>
              )
            );
          })}
        </ul>
      </div>
    </section>
  );
}

function Loading() {
  return (
    <div className="grid gap-2 p-1">
      {[0, 1, 2, 3].map((row) => (
        <Skeleton key={row} className="h-16" />
      ))}
    </div>
  );
}

function Nothing({ filter, onFilter }: { filter: ListFilter; onFilter: (filter: ListFilter) => void }) {
  const { q, fullText, project, archived } = filter;
  if (q !== '') {
    return (
      <Empty icon={<Search size={22} aria-hidden />} title={t('No results')}>
        {fullText ? (
          t('No title and no message contains these words.')
        ) : (
          <Button onClick={() => onFilter({ ...filter, fullText: true })}>
            {t('Search in messages too')}
          </Button>
        )}
      </Empty>
    );
  }
  if (archived || project !== undefined) {
    return (
      <p className="px-3 py-6 text-center text-faint text-sm">
        {archived ? t('No archived sessions.') : t('No sessions in this project.')}
      </p>
    );
  }
  return (
    <>
      <div className="md:hidden">
        <Empty icon={<SquareTerminal size={22} aria-hidden />} title={t('No sessions yet')}>
          {t('Start one, and Claude works in one of your folders.')}
        </Empty>
      </div>
      {/* On a wide screen the page next to the list says the rest. */}
      <p className="hidden px-3 py-6 text-center text-faint text-sm md:block">{t('No sessions yet')}</p>
    </>
  );
}
