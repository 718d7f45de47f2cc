// Changed titles of Claude Code sessions as activities: only the engine sees the transcripts in which they change. The
// first title that a session shows is a change too, wherever the session was begun.
import type { SessionId } from '@parley/protocol';
import { BoundedMap } from '../basics/bounded-map.ts';
import type { CodeSession, CodeSessions } from '../domain/code-sessions.ts';
import type { ActivityLogOptions } from './activity-log.ts';

/** Titles that are remembered as told, for each person; one that is forgotten may be told again. */
const mostTold = 500;

/** Asked for when somebody listens, so that nothing reads transcripts for nobody. */
export function watchTitles(
  sessions: () => Pick<CodeSessions, 'onChange'>,
): NonNullable<ActivityLogOptions['watch']> {
  return (person, tell) => {
    const told = new BoundedMap<SessionId, string>(mostTold);

    function isNews({ id, title }: CodeSession): boolean {
      if (title === '' || told.get(id) === title) return false;
      told.set(id, title);
      return true;
    }

    sessions().onChange(person, (change) => {
      if (change.type === 'removed' || !isNews(change.session)) return;
      const { id, title, workingDir } = change.session;
      tell({ type: 'title-changed', session: { id, engine: 'claude-code', title, project: workingDir } });
    });
  };
}
