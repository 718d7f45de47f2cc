// Filters the list by project, by words in the messages, and by archive.

import type { CodeSessionView } from '@parley/protocol';
import { useEffect, useState } from 'react';
import { t } from '../../i18n/translate.ts';
import { classes } from '../../ui/classes.ts';
import type { ListFilter } from './use-sessions.ts';

export function ListFilters({
  filter,
  sessions,
  onFilter,
}: {
  filter: ListFilter;
  sessions: readonly CodeSessionView[];
  onFilter: (filter: ListFilter) => void;
}) {
  const projects = useProjects(sessions);
  return (
    <div className="flex items-center gap-1.5">
      <select
        aria-label={t('Project')}
        value={filter.project ?? ''}
        onChange={({ target }) =>
          onFilter({ ...filter, project: target.value === '' ? undefined : target.value })
        }
        className={classes(
          'h-8 min-w-0 flex-1 truncate rounded-lg border bg-raised px-1.5 text-xs',
          filter.project === undefined ? 'border-line text-soft' : 'border-accent text-accent',
        )}
      >
        <option value="">{t('All projects')}</option>
        {projects.map((project) => (
          <option key={project} value={project}>
            {shortName(project, projects)}
          </option>
        ))}
      </select>
      {filter.q !== '' && (
        <Toggle isOn={filter.fullText} onToggle={(fullText) => onFilter({ ...filter, fullText })}>
          {t('In messages')}
        </Toggle>
      )}
      <Toggle isOn={filter.archived} onToggle={(archived) => onFilter({ ...filter, archived })}>
        {t('Archived')}
      </Toggle>
    </div>
  );
}

const mostProjects = 200;

/** All projects seen since the page was opened: a list filtered by one project does not contain the others. */
function useProjects(sessions: readonly CodeSessionView[]): readonly string[] {
  const [known, setKnown] = useState<readonly string[]>([]);
  useEffect(() => {
    setKnown((before) => {
      const all = new Set([...before, ...sessions.map(({ workingDir }) => workingDir)]);
      return all.size === before.length ? before : [...all].slice(0, mostProjects).toSorted();
    });
  }, [sessions]);
  return known;
}

/** The folder, with its parent where two projects have the same name. */
function shortName(project: string, projects: readonly string[]): string {
  const name = lastOf(project, 1);
  return projects.some((other) => other !== project && lastOf(other, 1) === name) ? lastOf(project, 2) : name;
}

function lastOf(path: string, count: number): string {
  return path.split('/').slice(-count).join('/');
}

function Toggle({
  isOn,
  onToggle,
  children,
}: {
  isOn: boolean;
  onToggle: (isOn: boolean) => void;
  children: string;
}) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={() => onToggle(!isOn)}
      className={classes(
        'h-8 shrink-0 whitespace-nowrap rounded-lg border px-2 text-xs transition-colors',
        isOn ? 'border-accent bg-accent-wash text-accent' : 'border-line text-soft hover:bg-sunken',
      )}
    >
      {children}
    </button>
  );
}
