// Narrows the list: one project, words in the messages, those that were put away.
import type { CodeSessionView } from '@parley/protocol';
import { useMemo } from 'react';
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
  const projects = useMemo(
    () =>
      [
        ...new Set([
          ...(filter.project === undefined ? [] : [filter.project]),
          ...sessions.map((one) => one.workingDir),
        ]),
      ]
        .toSorted()
        .slice(0, 200),
    [sessions, filter.project],
  );
  return (
    <div className="flex items-center gap-1.5">
      <select
        aria-label="Project"
        value={filter.project ?? ''}
        onChange={({ target }) =>
          onFilter({ ...filter, project: target.value === '' ? undefined : target.value })
        }
        className="h-8 min-w-0 flex-1 truncate rounded-lg border border-line bg-raised px-1.5 text-soft text-xs"
      >
        <option value="">Projects</option>
        {projects.map((project) => (
          <option key={project} value={project}>
            {project.split('/').slice(-2).join('/')}
          </option>
        ))}
      </select>
      <Toggle isOn={filter.fullText} onToggle={(fullText) => onFilter({ ...filter, fullText })}>
        In messages
      </Toggle>
      <Toggle isOn={filter.archived} onToggle={(archived) => onFilter({ ...filter, archived })}>
        Put away
      </Toggle>
    </div>
  );
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
