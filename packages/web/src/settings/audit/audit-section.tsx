// The audit log: who did what and when, newest first, page by page.
import type { AuditAction, AuditEntry } from '@parley/protocol';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { useDisplayName, usePeople } from '../../app/people.ts';
import { get, personalAddress } from '../../client.ts';
import { dayAndTime } from '../../conversation/times.ts';
import { serverFacts } from '../../i18n/server-text.ts';
import { t } from '../../i18n/translate.ts';
import { Button, buttonLook } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { TextField } from '../../ui/field.tsx';
import { ErrorNote, Skeleton } from '../../ui/notes.tsx';
import { SelectField } from '../../ui/select.tsx';
import { actionName, actions } from './action-names.ts';

interface Filter {
  readonly q: string;
  readonly by: string;
  readonly action: AuditAction | '';
}

/** Their detail is a name that somebody chose. */
const named: ReadonlySet<AuditAction> = new Set(['account.changed', 'passkey.added', 'passkey.removed']);
const everything: Filter = { q: '', by: '', action: '' };

interface AuditPage {
  readonly entries: readonly AuditEntry[];
  readonly before: number | null;
}

export function AuditSection() {
  const [filter, setFilter] = useState(everything);
  const wanted = searchOf(useDeferredValue(filter));
  const log = useInfiniteQuery({
    queryKey: ['settings', 'audit', wanted],
    queryFn: ({ pageParam, signal }) => {
      const page = pageParam === null ? '' : `&before=${pageParam}`;
      return get<AuditPage>(`/api/audit?limit=50&${wanted}${page}`, signal);
    },
    initialPageParam: null as number | null,
    getNextPageParam: ({ before }) => before,
    placeholderData: keepPreviousData,
  });
  const entries = log.data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <Card
      title={t('What happened')}
      hint={t('The newest 100,000 entries are kept.')}
      action={
        // Exports what the filters show.
        <a href={personalAddress(`/api/audit/export?${wanted}`)} download className={buttonLook('plain')}>
          <Download size={16} aria-hidden />
          {t('Export (JSON Lines)')}
        </a>
      }
    >
      <Filters filter={filter} onFilter={setFilter} />
      {log.isPending && <Skeleton className="h-60" />}
      {log.isError && <ErrorNote error={log.error} onRetry={() => void log.refetch()} />}
      {log.isSuccess && entries.length === 0 && <p className="text-faint text-sm">{t('No results')}</p>}
      <ol aria-label={t('Entries')} className="grid divide-y divide-line">
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </ol>
      {log.hasNextPage && (
        <Button
          className="mt-4 w-full"
          disabled={log.isFetchingNextPage}
          onClick={() => void log.fetchNextPage()}
        >
          {log.isFetchingNextPage ? t('Loading more …') : t('Show older entries')}
        </Button>
      )}
    </Card>
  );
}

function Filters({ filter, onFilter }: { filter: Filter; onFilter: (filter: Filter) => void }) {
  const people = usePeople();
  const choices = actions
    .map((value) => ({ value, name: actionName(value) }))
    .toSorted((a, b) => a.name.localeCompare(b.name));
  return (
    <div className="mb-5 grid gap-4 sm:grid-cols-3">
      <TextField
        type="search"
        label={t('Search')}
        maxLength={200}
        value={filter.q}
        onChange={({ target }) => onFilter({ ...filter, q: target.value })}
      />
      <SelectField
        label={t('Person')}
        value={filter.by}
        options={[
          { value: '', name: t('Everybody') },
          ...people.map((one) => ({ value: one.person, name: one.displayName })),
        ]}
        onChoose={(by) => onFilter({ ...filter, by })}
      />
      <SelectField<Filter['action']>
        label={t('Action')}
        value={filter.action}
        options={[{ value: '', name: t('All actions') }, ...choices]}
        onChoose={(action) => onFilter({ ...filter, action })}
      />
    </div>
  );
}

function Entry({ entry: { at, action, person, subject, detail, address } }: { entry: AuditEntry }) {
  const nameOf = useDisplayName();
  const facts = detail === null || named.has(action) ? detail : serverFacts(detail);
  const about = [subject, facts, address].filter((part) => part !== null && part !== '');
  return (
    <li className="grid gap-x-4 gap-y-0.5 py-2.5 text-sm sm:grid-cols-[12rem_1fr]">
      <time dateTime={new Date(at).toISOString()} className="text-faint text-xs leading-5 tabular-nums">
        {dayAndTime(at)}
      </time>
      <div className="min-w-0">
        <p className="break-words">
          <span className="font-medium">{actionName(action)}</span>
          {person !== null && <span className="text-soft"> · {nameOf(person)}</span>}
        </p>
        {about.length > 0 && (
          <p dir="auto" className="break-words text-faint text-xs leading-relaxed">
            {about.join(' · ')}
          </p>
        )}
      </div>
    </li>
  );
}

function searchOf(filter: Filter): string {
  const given = Object.entries({ ...filter, q: filter.q.trim() }).filter(([, value]) => value !== '');
  return new URLSearchParams(given).toString();
}
