// The person's conversations: search, open, rename, delete.

import { MessageCirclePlus, Search } from 'lucide-react';
import { useDeferredValue, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { t } from '../../i18n/translate.ts';
import { Button } from '../../ui/button.tsx';
import { Refusal, Skeleton, Spinner } from '../../ui/notes.tsx';
import { byDay } from './by-day.ts';
import { DeleteConversation, RenameConversation } from './conversation-dialogs.tsx';
import { ConversationRow } from './conversation-row.tsx';
import { type ListedSession, useConversations } from './list-query.ts';

export function ConversationList({
  current,
  onOpen,
}: {
  current: string | undefined;
  /** The person chose one, or started a new one. */
  onOpen?: () => void;
}) {
  const [, go] = useLocation();
  const [words, setWords] = useState('');
  const wanted = useDeferredValue(words.trim());
  const list = useConversations(wanted);
  const [renaming, setRenaming] = useState<ListedSession>();
  const [deleting, setDeleting] = useState<ListedSession>();
  const start = () => {
    go('/');
    onOpen?.();
  };
  return (
    <nav aria-label={t('Conversations')} className="flex h-full flex-col">
      <div className="grid gap-2 p-3">
        <Button className="justify-start" onClick={start}>
          <MessageCirclePlus size={16} aria-hidden />
          {t('New conversation')}
        </Button>
        <div className="flex items-center gap-2 rounded-lg border border-line bg-raised px-3 focus-within:border-accent">
          <Search size={15} className="text-faint" aria-hidden />
          <input
            type="search"
            aria-label={t('Search conversations')}
            placeholder={t('Search conversations')}
            value={words}
            onChange={(event) => setWords(event.target.value)}
            className="h-9 w-full min-w-0 bg-transparent text-sm outline-none placeholder:text-faint pointer-coarse:text-base"
          />
        </div>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto px-2 pb-4">
        {list.isPending && <Waiting />}
        {list.isError && <Refusal error={list.error} onRetry={() => void list.refetch()} />}
        {list.data?.length === 0 && (
          <p className="px-3 py-8 text-center text-faint text-sm">
            {wanted === '' ? t('Your conversations appear here.') : t('No results')}
          </p>
        )}
        {grouped(list.data ?? [], wanted !== '').map(({ day, items }) => (
          <section key={day} aria-label={day} className="mb-3">
            <h2 className="px-3 py-1.5 font-medium text-faint text-xs">{day}</h2>
            <ul>
              {items.map((session) => (
                <ConversationRow
                  key={session.id}
                  session={session}
                  isCurrent={session.id === current}
                  onOpen={onOpen}
                  onRename={() => setRenaming(session)}
                  onDelete={() => setDeleting(session)}
                />
              ))}
            </ul>
          </section>
        ))}
        {list.hasNextPage && <More onSeen={() => void list.fetchNextPage()} />}
      </div>
      <RenameConversation session={renaming} onDone={() => setRenaming(undefined)} />
      <DeleteConversation
        session={deleting}
        onDone={(isGone) => {
          if (isGone && deleting?.id === current) start();
          setDeleting(undefined);
        }}
      />
    </nav>
  );
}

function grouped(sessions: readonly ListedSession[], isSearch: boolean) {
  if (!isSearch) return byDay(sessions, Date.now());
  return sessions.length === 0 ? [] : [{ day: t('Found'), items: sessions }];
}

function Waiting() {
  return (
    <div className="grid gap-2 p-2">
      {[0, 1, 2, 3].map((at) => (
        <Skeleton key={at} className="h-8" />
      ))}
    </div>
  );
}

/** Fetches the next page when the reader gets near. */
function More({ onSeen }: { onSeen: () => void }) {
  const place = useRef<HTMLDivElement>(null);
  const seen = useRef(onSeen);
  seen.current = onSeen;
  useEffect(() => {
    const watch = new IntersectionObserver(([entry]) => entry?.isIntersecting && seen.current(), {
      rootMargin: '200px',
    });
    if (place.current) watch.observe(place.current);
    return () => watch.disconnect();
  }, []);
  return (
    <div ref={place} className="p-3">
      <Spinner label={t('Loading more …')} />
    </div>
  );
}
