// The person's Claude Code sessions, filtered by words, project and archive.

import type { CodeSessionView } from '@parley/protocol';
import { Plus } from 'lucide-react';
import { type ReactNode, useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useHere } from '../../app/me.tsx';
import { useDisplayName } from '../../app/people.ts';
import { useShortcuts } from '../../app/shortcuts.ts';
import { client } from '../../client.ts';
import { ago } from '../../conversation/times.ts';
import { t } from '../../i18n/translate.ts';
import { byDay, byProject, shortName, withPinned } from '../../session-list/groups.ts';
import { MarkFilters, RowTags, Toggle, useSelection } from '../../session-list/list-filters.tsx';
import { useMarks } from '../../session-list/marks.ts';
import { SessionList } from '../../session-list/session-list.tsx';
import { classes } from '../../ui/classes.ts';
import { Badge } from '../../ui/notes.tsx';
import { Select } from '../../ui/select.tsx';
import { everything, type ListFilter, titleOf, usePinned, useSessions } from './use-sessions.ts';

export function CodeSessionList({ openId }: { openId: string | undefined }) {
  const [, go] = useLocation();
  const { terminal } = useHere();
  const [filter, setFilter] = useState(everything);
  const search = useRef<HTMLInputElement>(null);
  const query = useSessions(useDeferredValue(filter));
  const { sessions, unreadable, indexing } = query;
  const pinned = usePinned();
  const [isByProject, setByProject] = useGrouping();
  const marks = useMarks();
  const { selection, start: select } = useSelection(
    filter.archived,
    useCallback(
      (ids: readonly string[]) => {
        for (const id of ids) client.forget(id);
        if (openId !== undefined && ids.includes(openId)) go('/code');
      },
      [openId, go],
    ),
  );
  const isUnfiltered =
    filter.q === '' && !filter.archived && filter.tag === undefined && filter.project === undefined;
  const groups =
    filter.q !== '' ? [{ items: sessions }] : isByProject ? byProject(sessions) : byDay(sessions, Date.now());
  useShortcuts(
    useMemo(
      () => [
        { keys: 'Alt+N', does: t('New session'), run: () => go('/code/new') },
        { keys: 'Alt+/', does: t('Search sessions'), run: () => search.current?.focus() },
      ],
      [go],
    ),
  );
  return (
    <SessionList
      label={t('Sessions')}
      start={{
        name: t('New session'),
        icon: <Plus size={16} aria-hidden />,
        run: () => go('/code/new'),
      }}
      search={{
        label: t('Search sessions'),
        words: filter.q,
        onWords: (q) => setFilter({ ...filter, q }),
        field: search,
      }}
      filters={
        <>
          <ListFilters filter={filter} sessions={sessions} onFilter={setFilter}>
            <Toggle isOn={isByProject} onToggle={setByProject}>
              {t('By project')}
            </Toggle>
          </ListFilters>
          <MarkFilters filter={filter} onFilter={setFilter} onSelect={select} />
          {unreadable.map((folder) => (
            <p key={folder} role="status" className="rounded-lg bg-warn-wash px-2.5 py-2 text-warn text-xs">
              {t(
                'Sessions in {folder} are missing because the server can’t read that folder. Check its permissions.',
                {
                  folder,
                },
              )}
            </p>
          ))}
          {indexing && (
            <p role="status" className="px-1 text-faint text-xs">
              {t('Older sessions are still being indexed. You can search them in a few minutes.')}
            </p>
          )}
        </>
      }
      query={query}
      groups={isUnfiltered ? withPinned(pinned, groups) : groups}
      selection={selection}
      empty={<Nothing filter={filter} />}
      current={openId}
    >
      {(session) => ({
        href:
          session.mode === 'cli' && terminal && !session.shared
            ? `/code/${session.id}/terminal`
            : `/code/${session.id}`,
        content: <SessionRow session={session} tags={marks.get(session.id)?.tags} />,
        isFixed: session.shared !== undefined,
      })}
    </SessionList>
  );
}

interface Dot {
  readonly look: string;
  readonly words: () => string;
}

const dots: Record<CodeSessionView['status'], Dot> = {
  active: { look: 'bg-good', words: () => t('Active') },
  archived: { look: 'border border-faint/60', words: () => t('Inactive') },
  dead: { look: 'bg-danger', words: () => t('Failed') },
};
const working: Dot = { look: 'animate-pulse bg-accent ring-3 ring-accent/25', words: () => t('Working') };

function SessionRow({ session, tags }: { session: CodeSessionView; tags: readonly string[] | undefined }) {
  const nameOf = useDisplayName();
  const { look, words } = session.working ? working : dots[session.status];
  return (
    <>
      <span className="flex items-center gap-2">
        <span aria-hidden className={classes('size-2 shrink-0 rounded-full', look)} title={words()} />
        <span className="sr-only">{t('{status}:', { status: words() })} </span>
        <span className="min-w-0 flex-1 truncate font-medium">{titleOf(session)}</span>
        {session.waiting && <Badge tone="warn">{t('Needs you')}</Badge>}
        {session.status === 'dead' && <Badge tone="danger">{t('Failed')}</Badge>}
        {session.offline && <Badge>{t('Offline')}</Badge>}
      </span>
      <span className="mt-1 flex items-center gap-2 pl-4 font-normal text-faint text-xs">
        <span className="min-w-0 flex-1 truncate">
          {session.workingDir.split('/').at(-1)}
          {session.gitBranch !== undefined && session.gitBranch !== 'HEAD' && ` · ${session.gitBranch}`}
          {session.machine !== undefined && ` · ${session.machine}`}
          {session.shared && ` · ${t('from {owner}', { owner: nameOf(session.shared.owner) })}`}
          {session.mode === 'cli' && ` · ${t('terminal')}`}
        </span>
        <span className="shrink-0 tabular-nums">
          {session.working && !session.waiting ? t('working') : ago(session.updatedAt, Date.now())}
        </span>
      </span>
      <span className="block pl-4">
        <RowTags tags={tags} />
      </span>
      {session.found && (
        <span className="mt-1 line-clamp-2 pl-4 font-normal text-faint text-xs">{session.found.snippet}</span>
      )}
    </>
  );
}

interface FilterProps {
  readonly filter: ListFilter;
  readonly onFilter: (filter: ListFilter) => void;
}

function Nothing({ filter }: Pick<FilterProps, 'filter'>): ReactNode {
  if (filter.q !== '') {
    return (
      <>
        <p>{t('No results')}</p>
        {t('No titles or messages contain these words.')}
      </>
    );
  }
  if (filter.archived) return t('No archived sessions.');
  if (filter.project !== undefined) return t('No sessions in this project.');
  return (
    <>
      <p>{t('No sessions yet')}</p>
      {/* On a wide screen, the page next to the list says so. */}
      <p className="md:hidden">{t('Start one to have Claude work in one of your folders.')}</p>
    </>
  );
}

function ListFilters({
  filter,
  sessions,
  onFilter,
  children,
}: FilterProps & { sessions: readonly CodeSessionView[]; children: ReactNode }) {
  const projects = useProjects(sessions);
  return (
    <div className="flex items-center gap-1.5">
      <Select
        aria-label={t('Project')}
        value={filter.project ?? ''}
        onChange={({ target }) =>
          onFilter({ ...filter, project: target.value === '' ? undefined : target.value })
        }
        className={classes(
          'h-8 bg-raised pl-2 text-xs',
          filter.project === undefined ? 'border-line text-soft' : 'border-accent text-accent',
        )}
      >
        <option value="">{t('All projects')}</option>
        {projects.map((project) => (
          <option key={project} value={project}>
            {shortName(project, projects)}
          </option>
        ))}
      </Select>
      {children}
    </div>
  );
}

const groupingKey = 'parley.sessions-by-project';

/** Remembered in this browser. */
function useGrouping(): [boolean, (isByProject: boolean) => void] {
  const [isByProject, set] = useState(() => localStorage.getItem(groupingKey) === '1');
  const change = useCallback((wanted: boolean) => {
    set(wanted);
    localStorage.setItem(groupingKey, wanted ? '1' : '0');
  }, []);
  return [isByProject, change];
}

const maxProjects = 200;

/** All projects seen since the page was opened, because a list filtered by one project doesn't contain the others. */
function useProjects(sessions: readonly CodeSessionView[]): readonly string[] {
  const [known, setKnown] = useState<readonly string[]>([]);
  useEffect(() => {
    setKnown((before) => {
      const all = new Set([...before, ...sessions.map(({ workingDir }) => workingDir)]);
      return all.size === before.length ? before : [...all].slice(0, maxProjects).toSorted();
    });
  }, [sessions]);
  return known;
}
