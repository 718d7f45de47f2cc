// A process that writes endlessly and prints what the store has acknowledged, until it is killed.
// One line per acknowledged write: its kind, then ids as JSON.
import { writeSync } from 'node:fs';
import { openSqliteStore } from '../../../src/stores/sqlite/store.ts';
import { aMessage, aSession, aTurn, deltas } from '../fixtures.ts';

export type Acknowledged =
  | { readonly kind: 'turn'; readonly id: string; readonly sessionId: string }
  | { readonly kind: 'completed'; readonly id: string }
  | { readonly kind: 'message'; readonly sessionId: string; readonly count: number }
  | { readonly kind: 'events'; readonly sessionId: string; readonly lastSeq: number };

const eventsPerTurn = 40;

const store = await openSqliteStore({ file: process.argv[2] as string });
const session = aSession();
await store.createSession(session);

for (let count = 1; ; count += 1) {
  const turn = aTurn(session);
  await store.admit(turn, session, { newSession: false });
  acknowledge({ kind: 'turn', id: turn.id, sessionId: session.id });

  const lastSeq = count * eventsPerTurn;
  await store.appendEvents(deltas(session.id, lastSeq - eventsPerTurn + 1, lastSeq));
  acknowledge({ kind: 'events', sessionId: session.id, lastSeq });

  await store.appendMessages(session.id, turn.id, [aMessage('assistant', `answer${count}`)]);
  acknowledge({ kind: 'message', sessionId: session.id, count });

  await store.updateTurn(turn.id, { status: 'completed' });
  acknowledge({ kind: 'completed', id: turn.id });
}

/** Synchronous, so that nothing acknowledged waits in a buffer of this process. */
function acknowledge(write: Acknowledged): void {
  writeSync(1, `${JSON.stringify(write)}\n`);
}
