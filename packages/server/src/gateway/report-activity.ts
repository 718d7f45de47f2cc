// Decides which events of a session are activities, and who hears about them: its owner, and those it is shared with.
import {
  type GatewayEvent,
  needsAnswerEachTime,
  promptText,
  type Session,
  type SessionEvent,
} from '@parley/protocol';
import type { Access } from '../domain/access.ts';
import type { ActiveSession, Activity, ActivityObserver } from '../domain/activity.ts';

export interface ActivityReport {
  readonly access: Pick<Access, 'participants' | 'levelOf' | 'namesOf'>;
  readonly activity?: ActivityObserver;
}

/** Most events are not activities, so the session is read only if needed. */
export function reportActivity(event: SessionEvent, session: () => Session, report: ActivityReport): void {
  if (event.type === 'turn.started') return reportMentions(event, session(), report);
  const activity = toActivity(session, event);
  if (!activity) return;
  const about = session();
  const { access } = report;
  for (const person of [about.person, ...access.participants(about)]) {
    // Those who only read it can't decide.
    if (activity.type === 'permission-waiting' && access.levelOf(person, about) === 'read') continue;
    report.activity?.noticed(person, activity);
  }
}

function toActivity(session: () => Session, event: SessionEvent): Activity | undefined {
  switch (event.type) {
    case 'permission.asked':
      return {
        type: 'permission-waiting',
        session: named(session()),
        tool: event.request.tool,
        permission: event.id,
        isPlain: !needsAnswerEachTime(event.request),
      };
    case 'turn.ended':
      return { type: 'turn-ended', session: named(session()), outcome: event.outcome };
    default:
      return undefined;
  }
}

/** Only for people who can see the session. */
function reportMentions(
  { prompt, author }: Extract<GatewayEvent, { type: 'turn.started' }>,
  session: Session,
  { access, activity }: ActivityReport,
): void {
  const others = access.participants(session);
  if (others.length === 0) return;
  const by = author ?? session.person;
  const text = promptText(prompt);
  for (const person of [session.person, ...others]) {
    if (person !== by && isNamedIn(text, access.namesOf(person)))
      activity?.noticed(person, { type: 'mentioned', session: named(session), by });
  }
}

/** Matches whole words, in any case, with or without an @ in front. */
export function isNamedIn(text: string, names: readonly string[]): boolean {
  const said = text.toLowerCase();
  return names.some((name) => name !== '' && hasWord(said, name.toLowerCase()));
}

function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
    if (!isLetter(text[at - 1]) && !isLetter(text[at + word.length])) return true;
  }
  return false;
}

function isLetter(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_]/u.test(character);
}

function named(session: Session): ActiveSession {
  const { id, engine, assistant, title } = session;
  const project = session.engine === 'claude-code' ? session.settings.workingDir : undefined;
  return { id, engine, assistant, title, project };
}
