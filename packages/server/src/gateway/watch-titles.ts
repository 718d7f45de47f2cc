// Reports changed titles of Claude Code sessions as activities: only the engine sees the transcripts in which they change.
// A session's first title counts as a change, even if the session was started outside of Parley.
import type { SessionId } from '@parley/protocol';
import { BoundedMap } from '../basics/bounded-map.ts';
import type { CodeSession, CodeSessions } from '../domain/code-sessions.ts';
import type { ActivityLogOptions } from './activity-log.ts';

/** Titles that are remembered as reported, per person; a forgotten one may be reported again. */
const maxReported = 500;

/** Calls `sessions` only when somebody listens, because that reads transcripts. */
export function watchTitles(
  sessions: () => Pick<CodeSessions, 'onChange'>,
): NonNullable<ActivityLogOptions['watch']> {
  return (person, report) => {
    const reported = new BoundedMap<SessionId, string>(maxReported);

    function isNews({ id, title }: CodeSession): boolean {
      if (title === '' || reported.get(id) === title) return false;
      reported.set(id, title);
      return true;
    }

    sessions().onChange(person, (change) => {
      if (change.type === 'removed' || !isNews(change.session)) return;
      const { id, title, workingDir } = change.session;
      report({
        type: 'title-changed',
        session: { id, engine: 'claude-code', assistant: 'claude-code', title, project: workingDir },
      });
    });
  };
}
