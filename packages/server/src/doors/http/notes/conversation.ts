// A notes conversation on top of the gateway: how a message gets in, and what the history of a session is.
import {
  type HistoryEntry,
  ParleyError,
  type PersonName,
  promptText,
  SessionId,
  type Turn,
  type TurnId,
} from '@parley/protocol';
import type { AdmittedPrompt, Gateway, NewSession } from '../../../domain/gateway.ts';

export interface NotesMessage {
  readonly person: PersonName;
  readonly text: string;
  readonly sessionId: string | undefined;
  /** The same key never sends a message twice. */
  readonly key: string | undefined;
}

/** Goes on in the named session when it is the person's own, else in a new one. */
export async function sendMessage(
  gateway: Gateway,
  newSession: NewSession,
  { person, text, sessionId, key }: NotesMessage,
): Promise<AdmittedPrompt> {
  const request = {
    person,
    prompt: [{ type: 'text' as const, text }],
    door: 'http',
    ...(key !== undefined && { key }),
  };
  const named = SessionId.safeParse(sessionId);
  if (!named.success) return gateway.prompt({ ...request, session: newSession });
  try {
    return await gateway.prompt({ ...request, session: named.data });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return gateway.prompt({ ...request, session: newSession });
  }
}

export async function readHistory(
  gateway: Gateway,
  person: PersonName,
  sessionId: string,
  upTo?: TurnId,
): Promise<HistoryEntry[]> {
  const turns = await gateway.turns(person, toSessionId(sessionId)).catch(sessionNotFound);
  const last = upTo === undefined ? -1 : turns.findIndex((turn) => turn.id === upTo);
  return (last === -1 ? turns : turns.slice(0, last + 1)).flatMap(toEntries);
}

export async function clearSession(gateway: Gateway, person: PersonName, sessionId: string): Promise<void> {
  await gateway.deleteSession(person, toSessionId(sessionId)).catch(sessionNotFound);
}

function toEntries({ prompt, text }: Turn): HistoryEntry[] {
  const asked: HistoryEntry = { role: 'user', content: promptText(prompt) };
  return text === '' ? [asked] : [asked, { role: 'assistant', content: text }];
}

/** What cannot be the id of a session is the id of none. */
function toSessionId(text: string): SessionId {
  const id = SessionId.safeParse(text);
  return id.success ? id.data : sessionNotFound(new ParleyError('not_found', ''));
}

function sessionNotFound(error: unknown): never {
  throw isNotFound(error) ? new ParleyError('not_found', 'Session not found') : error;
}

function isNotFound(error: unknown): boolean {
  return error instanceof ParleyError && error.code === 'not_found';
}
