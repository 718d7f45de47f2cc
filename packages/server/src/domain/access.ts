// Who may do what with which session. The gateway and the list of Claude Code sessions ask here and nowhere else.
import {
  ParleyError,
  type PersonName,
  type Session,
  type SessionId,
  type SessionLevel,
  type ShareLevel,
} from '@parley/protocol';
import type { People } from './people.ts';

/** Limits what credentials may do, out of what their person may do. */
export interface Scope {
  /** The only assistants they may use, where `claude-code` counts as one; absent if they may use all. */
  readonly assistants?: readonly string[];
  readonly readOnly: boolean;
}

/** Who acts: a person, or a person through limited credentials. */
export type Actor = PersonName | ScopedActor;

export interface ScopedActor {
  readonly person: PersonName;
  readonly scope: Scope;
  /** Set if another server forwarded the call, because it thinks that this one owns the session. */
  readonly forwarded?: true;
}

/** What decides whether somebody may use a session. */
export type Answering = Pick<Session, 'engine' | 'assistant'>;

export interface Access {
  /** Undefined if the session must look like it doesn't exist. */
  levelOf(actor: Actor, session: Answering & Pick<Session, 'id' | 'person'>): SessionLevel | undefined;
  mayUse(actor: Actor, answering: Answering): boolean;
  /** The names of the only assistants that the actor may use; undefined for all. */
  assistantsOf(actor: Actor): readonly string[] | undefined;
  /** The sessions that others share with the person. */
  sharedWith(person: PersonName): readonly SessionId[];
  /** Everybody besides its owner who can read the session. */
  participants(session: Session): readonly PersonName[];
  /** What others call the person. */
  namesOf(person: PersonName): readonly string[];
  /** Whether the person may turn off Claude Code's permission questions. */
  mayBypass(person: PersonName): boolean;
  /** Changes when what the person may do or see changes, or what is shared with them, or whom they share `own` with. */
  standingOf(person: PersonName, own?: Iterable<SessionId>): string;
  /** Calls the listener whenever somebody's rights may have changed. Returns a function that stops listening. */
  onChange(listener: () => void): () => void;
}

/** Answered from memory, because every call to the gateway asks. */
export interface SharedSessions {
  levelOf(id: SessionId, person: PersonName): ShareLevel | undefined;
  sharedWith(person: PersonName): readonly SessionId[];
  participants(id: SessionId): readonly PersonName[];
  onChange(listener: () => void): () => void;
}

/** Claude Code is an engine, and counts as an assistant where assistants are listed. */
export const claudeCode = 'claude-code';

export function createAccess(people: People, shares: SharedSessions): Access {
  const access: Access = {
    levelOf(actor, session) {
      if (!access.mayUse(actor, session)) return undefined;
      const person = personOf(actor);
      const level = session.person === person ? 'own' : shares.levelOf(session.id, person);
      return level !== undefined && scopeOf(actor)?.readOnly === true ? 'read' : level;
    },
    mayUse(actor, answering) {
      const allowed = access.assistantsOf(actor);
      return allowed === undefined || allowed.includes(assistantOf(answering));
    },
    assistantsOf(actor) {
      const person = personOf(actor);
      // Nobody acts for somebody who is disabled or gone, whatever their account says.
      if (!people.has(person)) return [];
      const scoped = scopeOf(actor)?.assistants;
      const isLimited = !people.may(person, 'all-assistants') || !people.may(person, claudeCode);
      if (!isLimited) return scoped;
      const own = people.account(person)?.assistants ?? [];
      return own.filter((name) => name !== claudeCode && (scoped?.includes(name) ?? true));
    },
    sharedWith: (person) => shares.sharedWith(person),
    participants: (session) =>
      shares.participants(session.id).filter((person) => access.levelOf(person, session) !== undefined),
    namesOf: (person) => [person, people.displayNameOf(person)],
    mayBypass: (person) => people.may(person, 'bypass-permissions'),
    standingOf: (person, own = []) =>
      JSON.stringify([
        people.roleOf(person),
        access.assistantsOf(person),
        people
          .visibleTo(person)
          .map((one) => [one, people.has(one), people.account(one)?.role, people.displayNameOf(one)]),
        shares.sharedWith(person).map((id) => [id, shares.levelOf(id, person)]),
        Array.from(own, (id) => shares.participants(id).map((other) => [other, shares.levelOf(id, other)])),
      ]),
    onChange(listener) {
      const stops = [people.onChange(listener), shares.onChange(listener)];
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
  return access;
}

/** Everybody may do everything with their own sessions, and nothing with those of others. */
export const onlyOwnSessions: Access = {
  levelOf: (actor, { person }) => (personOf(actor) === person ? 'own' : undefined),
  mayUse: () => true,
  assistantsOf: () => undefined,
  sharedWith: () => [],
  participants: () => [],
  namesOf: (person) => [person],
  mayBypass: () => true,
  standingOf: () => '',
  onChange: () => () => undefined,
};

export function isForwarded(actor: Actor): boolean {
  return typeof actor === 'object' && actor.forwarded === true;
}

export function scopeOf(actor: Actor): Scope | undefined {
  return typeof actor === 'string' ? undefined : actor.scope;
}

export function personOf(actor: Actor): PersonName {
  return typeof actor === 'string' ? actor : actor.person;
}

function assistantOf({ engine, assistant }: Answering): string {
  return engine === 'claude-code' ? claudeCode : assistant;
}

/** Throws `not_found` if the actor may not know about the session, `forbidden` if they may only do less with it. */
export function requireLevel<One extends Answering & Pick<Session, 'id' | 'person'>>(
  access: Access,
  actor: Actor,
  session: One | undefined,
  needed: SessionLevel,
): One {
  const level = session && access.levelOf(actor, session);
  if (!session || level === undefined) throw new ParleyError('not_found', 'There is no such session.');
  if (levels.indexOf(level) < levels.indexOf(needed)) throw refusalOf(actor, needed);
  return session;
}

/** Whether this permission mode turns off all questions. */
export function isBypassing(mode: unknown): boolean {
  return bypassing.includes(mode);
}

/** Throws `forbidden` if the settings turn off questions that the person has to answer. */
export function requireAllowedMode(access: Access, person: PersonName, settings: object): void {
  const mode = 'permissionMode' in settings ? settings.permissionMode : undefined;
  if (!isBypassing(mode) || access.mayBypass(person)) return;
  throw new ParleyError(
    'forbidden',
    'You may not turn off permission questions. Choose another permission mode, or ask an owner of this server.',
  );
}

const bypassing: readonly unknown[] = ['bypassPermissions', 'dontAsk'];
const levels: readonly SessionLevel[] = ['read', 'participate', 'own'];

function refusalOf(actor: Actor, needed: SessionLevel): ParleyError {
  if (scopeOf(actor)?.readOnly) return readOnlyKey;
  return needed === 'own' ? notTheOwner : onlyReading;
}

export const readOnlyKey = new ParleyError('forbidden', 'This API key may only read.');
const notTheOwner = new ParleyError('forbidden', 'Only the owner of this session may do this.');
const onlyReading = new ParleyError('forbidden', 'You have read-only access to this session.');
