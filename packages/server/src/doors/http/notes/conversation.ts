// A notes conversation on top of the gateway: what the history of a session is, and how it is cleared.
import {
  type HistoryEntry,
  ParleyError,
  type PersonName,
  promptText,
  type Turn,
  type TurnId,
} from '@parley/protocol';
import type { Gateway } from '../../../domain/gateway.ts';
import { isNotFound, toSessionId } from '../sessions/send-message.ts';

export async function readHistory(
  gateway: Gateway,
  person: PersonName,
  sessionId: string,
  upTo?: TurnId,
): Promise<HistoryEntry[]> {
  const turns = await known(() => gateway.turns(person, toSessionId(sessionId)));
  const last = upTo === undefined ? -1 : turns.findIndex((turn) => turn.id === upTo);
  return (last === -1 ? turns : turns.slice(0, last + 1)).flatMap(toEntries);
}

export async function clearSession(gateway: Gateway, person: PersonName, sessionId: string): Promise<void> {
  await known(() => gateway.deleteSession(person, toSessionId(sessionId)));
}

function toEntries({ prompt, text }: Turn): HistoryEntry[] {
  const asked: HistoryEntry = { role: 'user', content: promptText(prompt) };
  return text === '' ? [asked] : [asked, { role: 'assistant', content: text }];
}

/** In the words that clients of these endpoints know. */
async function known<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw isNotFound(error) ? new ParleyError('not_found', 'Session not found') : error;
  }
}
