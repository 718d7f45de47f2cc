// Changed titles of Claude Code sessions as activities: only the engine sees the transcripts in which they change.

import type { CodeSessions } from '../domain/code-sessions.ts';
import type { ActivityLogOptions } from './activity-log.ts';

/** Asked for when somebody listens, so that nothing reads transcripts for nobody. */
export function watchTitles(
  sessions: () => Pick<CodeSessions, 'onChange'>,
): NonNullable<ActivityLogOptions['watch']> {
  return (person, tell) => {
    sessions().onChange(person, (change) => {
      if (change.type !== 'title') return;
      const { id, title, workingDir } = change.session;
      tell({ type: 'title-changed', session: { id, engine: 'claude-code', title, project: workingDir } });
    });
  };
}
