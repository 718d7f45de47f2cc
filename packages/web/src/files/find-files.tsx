// Searches the files by name or by content, and shows what it finds.
import type { FileMatch, FileMatches } from '@parley/protocol';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { File, Folder, Search } from 'lucide-react';
import { useDeferredValue } from 'react';
import { t } from '../i18n/translate.ts';
import { ErrorNote, Spinner } from '../ui/notes.tsx';
import { Pills } from '../ui/pills.tsx';
import type { FilesOf } from './files-of.ts';
import { nameOf, parentOf } from './tree-model.ts';
import { visibleName } from './visible-name.ts';

export type SearchIn = 'names' | 'content';

export function FindField({
  query,
  where,
  onQuery,
  onWhere,
}: {
  query: string;
  where: SearchIn;
  onQuery: (query: string) => void;
  onWhere: (where: SearchIn) => void;
}) {
  return (
    <div className="grid shrink-0 gap-2 border-line border-b p-2">
      <label className="flex items-center gap-2 rounded-lg border border-line bg-paper px-2.5 focus-within:border-accent">
        <Search size={15} className="text-faint" aria-hidden />
        <input
          type="search"
          aria-label={t('Search files')}
          placeholder={t('Search files')}
          value={query}
          onChange={({ target }) => onQuery(target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || query === '') return;
            event.preventDefault();
            onQuery('');
          }}
          className="h-9 min-w-0 flex-1 bg-transparent text-sm outline-none placeholder:text-faint"
        />
      </label>
      {query !== '' && (
        <Pills
          label={t('Search in')}
          options={[
            { value: 'names', name: t('Names') },
            { value: 'content', name: t('Content') },
          ]}
          value={where}
          onChoose={onWhere}
        />
      )}
    </div>
  );
}

export function FoundFiles({
  place,
  query: written,
  where,
  onOpen,
}: {
  place: FilesOf;
  query: string;
  where: SearchIn;
  onOpen: (match: FileMatch) => void;
}) {
  const query = useDeferredValue(written.trim());
  const found = useQuery({
    queryKey: ['found-files', place.id, where, query],
    queryFn: ({ signal }) => place.files.find(query, { in: where, limit: 200, signal }),
    enabled: query !== '',
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  });
  if (found.isError) {
    return (
      <div className="p-3">
        <ErrorNote error={found.error} />
      </div>
    );
  }
  if (!found.data) {
    return (
      <div className="p-4">
        <Spinner label={t('Searching')} />
      </div>
    );
  }
  return <Matches found={found.data} onOpen={onOpen} />;
}

function Matches({
  found: { matches, truncated },
  onOpen,
}: {
  found: FileMatches;
  onOpen: (match: FileMatch) => void;
}) {
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <p role="status" className="px-3 py-2 text-faint text-xs">
        {t('{count, plural, =0 {Nothing found} one {# match} other {# matches}}', { count: matches.length })}
        {truncated && ` ${t('There are more. Keep typing to narrow them down.')}`}
      </p>
      <ul>
        {matches.map((match) => (
          <li key={`${match.path}:${match.line ?? ''}`}>
            <button
              type="button"
              onClick={() => onOpen(match)}
              className="flex w-full items-start gap-2 px-3 py-1.5 text-left text-sm hover:bg-sunken pointer-coarse:min-h-11"
            >
              {match.folder ? (
                <Folder size={15} className="mt-0.5 shrink-0 text-accent" aria-hidden />
              ) : (
                <File size={15} className="mt-0.5 shrink-0 text-faint" aria-hidden />
              )}
              <span className="min-w-0">
                <span className="block truncate">
                  <bdi>{visibleName(nameOf(match.path))}</bdi>
                  {match.line !== undefined && <span className="text-faint">:{match.line}</span>}{' '}
                  <bdi className="text-faint text-xs">{visibleName(parentOf(match.path))}</bdi>
                </span>
                {match.text !== undefined && (
                  <code className="block truncate font-mono text-soft text-xs">{match.text.trim()}</code>
                )}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
