// The person's conversations, by day or found by a search.

import { Archive, ArchiveRestore, MessageCirclePlus } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { useLocation } from 'wouter';
import { useHere } from '../../app/me.tsx';
import { useDisplayName } from '../../app/people.ts';
import { client } from '../../client.ts';
import { t } from '../../i18n/translate.ts';
import { byDay, withPinned } from '../../session-list/groups.ts';
import { type MarkFilter, MarkFilters, RowTags, useSelection } from '../../session-list/list-filters.tsx';
import { useMarks, useOrganize } from '../../session-list/marks.ts';
import { SessionList } from '../../session-list/session-list.tsx';
import { SessionMenu } from '../../session-list/session-menu.tsx';
import { SharedSessionMenu } from '../../session-list/shared-session-menu.tsx';
import { MenuItem } from '../../ui/menu.tsx';
import { conversationTitle, useConversations } from './list-query.ts';

export function ConversationList({
  current,
  onOpen,
  replaces = false,
}: {
  current: string | undefined;
  /** Called when the person opens a conversation or starts a new one. */
  onOpen?: () => void;
  /** Opening a conversation replaces the list in the browser's history. */
  replaces?: boolean;
}) {
  const [, go] = useLocation();
  const { person: me } = useHere();
  const nameOf = useDisplayName();
  const [words, setWords] = useState('');
  const wanted = useDeferredValue(words.trim());
  const [filter, setFilter] = useState<MarkFilter>({ archived: false, tag: undefined });
  const list = useConversations(wanted, filter);
  const found = list.data ?? [];
  const isUnfiltered = wanted === '' && !filter.archived && filter.tag === undefined;
  const pinned = useConversations('', { pinned: true, archived: false, tag: undefined }).data ?? [];
  const marks = useMarks();
  const { mark } = useOrganize();
  const start = () => {
    go('/', { replace: replaces });
    onOpen?.();
  };
  const { selection, start: select } = useSelection(filter.archived, (ids) => {
    for (const id of ids) client.forget(id);
    if (current !== undefined && ids.includes(current)) start();
  });
  const groups = wanted === '' ? byDay(found, Date.now()) : [{ heading: t('Results'), items: found }];
  return (
    <SessionList
      label={t('Conversations')}
      filters={<MarkFilters filter={filter} onFilter={setFilter} onSelect={select} />}
      selection={selection}
      start={{ name: t('New conversation'), icon: <MessageCirclePlus size={16} aria-hidden />, run: start }}
      search={{ label: t('Search conversations'), words, onWords: setWords }}
      query={list}
      groups={isUnfiltered ? withPinned(pinned, groups) : groups}
      empty={isUnfiltered ? t('Your conversations appear here.') : t('No results')}
      current={current}
      onOpen={onOpen}
      replaces={replaces}
    >
      {(session) => {
        const { id, hits, person } = session;
        const isShared = person !== me;
        const title = conversationTitle(session);
        const isArchived = marks.get(id)?.archived === true;
        return {
          href: `/chat/${id}`,
          isFixed: isShared,
          content: (
            <>
              <span dir="auto" className="block truncate">
                {title}
              </span>
              {isShared && (
                <span className="mt-0.5 block truncate font-normal text-faint text-xs">
                  {t('from {owner}', { owner: nameOf(person) })}
                </span>
              )}
              <RowTags tags={marks.get(id)?.tags} />
              {hits?.[0] && (
                <span className="mt-0.5 line-clamp-2 font-normal text-faint text-xs">{hits[0].snippet}</span>
              )}
            </>
          ),
          menu: isShared ? (
            <SharedSessionMenu
              session={id}
              label={t('More options for {title}', { title })}
              className="size-8"
            />
          ) : (
            <SessionMenu
              session={id}
              label={t('More options for {title}', { title })}
              className="size-8"
              renaming={{
                heading: t('Rename conversation'),
                title: session.title,
                longest: 200,
                save: (wish) => client.conversation(id).configure({ title: wish }),
              }}
              onRemoved={() => {
                client.forget(id);
                if (id === current) start();
              }}
            >
              <MenuItem onSelect={() => void mark({ ids: [id], archived: !isArchived })}>
                {isArchived ? <ArchiveRestore size={16} aria-hidden /> : <Archive size={16} aria-hidden />}
                {isArchived ? t('Unarchive') : t('Archive')}
              </MenuItem>
            </SessionMenu>
          ),
        };
      }}
    </SessionList>
  );
}
