// Which events a person may want to hear of while they look elsewhere. Pure.
import type { Session, SessionEvent } from '@parley/protocol';
import type { ActiveSession, Activity } from '../domain/activity.ts';

/** Asks for the session only when there is something to tell: most events are nothing of the kind. */
export function toActivity(session: () => Session, event: SessionEvent): Activity | undefined {
  switch (event.type) {
    case 'permission.asked':
      return { type: 'permission-waiting', session: named(session()), tool: event.request.tool };
    case 'turn.ended':
      return { type: 'turn-ended', session: named(session()), outcome: event.outcome };
    default:
      return undefined;
  }
}

function named({ id, engine, title, settings }: Session): ActiveSession {
  const project = settings['workingDir'];
  return { id, engine, title, project: typeof project === 'string' ? project : undefined };
}
