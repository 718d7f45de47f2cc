// Sessions, turns, messages and events to fill a store with.
import { randomUUID } from 'node:crypto';
import {
  type Envelope,
  type Message,
  noUsage,
  type Session,
  type SessionId,
  type Turn,
} from '@parley/protocol';
import type { Store } from '../../src/domain/store.ts';

export function aSession(fields: Partial<Session> = {}): Session {
  return {
    id: randomUUID(),
    person: 'anna',
    engine: 'messages-api',
    assistant: 'notes',
    title: 'Groceries',
    createdAt: 1_700_000_000_000,
    updatedAt: 1_700_000_000_000,
    settings: {},
    ...fields,
  };
}

export function aTurn(session: Session, fields: Partial<Turn> = {}): Turn {
  return {
    id: randomUUID(),
    sessionId: session.id,
    key: randomUUID(),
    door: 'http',
    prompt: [{ type: 'text', text: 'What is on my list?' }],
    status: 'queued',
    after: 0,
    text: '',
    usage: noUsage,
    queuedAt: 1_700_000_000_000,
    ...fields,
  };
}

export function aMessage(role: Message['role'], text: string): Message {
  return { role, content: [{ type: 'text', text }] };
}

export async function allMessages(store: Store, sessionId: SessionId): Promise<readonly Message[]> {
  const { turns } = await store.recentMessages(sessionId, () => true);
  return turns.flatMap(({ messages }) => messages);
}

/** Text deltas numbered `from` to `to`, both included. */
export function deltas(sessionId: SessionId, from: number, to: number): Envelope[] {
  return Array.from({ length: to - from + 1 }, (_, index) => ({
    seq: from + index,
    sessionId,
    at: 1_700_000_000_000 + from + index,
    event: { type: 'text.delta', text: `word ${from + index} ` },
  }));
}
