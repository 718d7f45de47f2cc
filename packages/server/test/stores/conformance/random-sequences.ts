// Random sequences of calls: a store answers each like the model does, also when reopened in between.
import {
  type Envelope,
  type Message,
  ParleyError,
  type Session,
  type Turn,
  TurnStatus,
} from '@parley/protocol';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Store } from '../../../src/domain/store.ts';
import { allMessages, aMessage, aSession, aTurn, deltas } from '../fixtures.ts';
import { createModelStore } from './model-store.ts';
import type { OpenStore } from './opened-store.ts';

type Call = (store: Store) => Promise<unknown>;
type Step = { readonly name: string; readonly call: Call } | 'reopen';

const ids = ['1', '2', '3', '4', '5', '6', '7', '8'].map((n) => `00000000-0000-4000-8000-00000000000${n}`);
const people = ['anna', 'ben'];
const words = ['alpha', 'beta', 'gamma', 'delta'];

/** They differ each time. */
const runs = process.env['PARLEY_LONG'] === '1' ? 300 : 20;

export function modelSuite(open: OpenStore): void {
  it('answers any sequence of calls like the model store does', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step(), { minLength: 1, maxLength: 60 }), async (steps) => {
        const opened = await open();
        const model = createModelStore();
        let { store } = opened;
        const [answers, expected]: [unknown[], unknown[]] = [[], []];
        try {
          for (const one of steps) {
            if (one !== 'reopen') {
              answers.push([one.name, await outcome(one.call(store))]);
              expected.push([one.name, await outcome(one.call(model))]);
            } else if (opened.reopen) {
              await store.close();
              store = await opened.reopen();
            }
          }
          answers.push(await everything(store));
          expected.push(await everything(model));
        } finally {
          await store.close();
          await opened.cleanup();
        }
        expect(answers).toEqual(expected);
      }),
      { numRuns: runs },
    );
  });
}

/** A value, or the code of the error. */
async function outcome(answer: Promise<unknown>): Promise<unknown> {
  return answer.catch((thrown: unknown) => {
    if (thrown instanceof ParleyError) return { refused: thrown.code };
    throw thrown;
  });
}

async function everything(store: Store): Promise<unknown> {
  const ofSessions = ids.map(async (id) => ({
    session: await store.getSession(id),
    turns: await store.listTurns(id),
    messages: await allMessages(store, id),
    events: await store.eventsAfter(id, 0, 10_000),
    lastSeq: await store.lastSeq(id),
  }));
  return {
    sessions: await Promise.all(ofSessions),
    lists: await Promise.all(people.map((person) => allSessions(store, person, 2))),
    unfinished: await store.unfinishedTurns(),
    found: await Promise.all(words.map((word) => found(store, 'anna', word))),
  };
}

async function allSessions(store: Store, person: string, limit: number): Promise<Session[]> {
  const sessions: Session[] = [];
  let cursor: string | undefined;
  do {
    const page = await store.listSessions(person, { limit, ...(cursor && { cursor }) });
    sessions.push(...page.sessions);
    cursor = page.next;
  } while (cursor);
  return sessions;
}

/** Which turns and roles a search finds; their order and snippets depend on the store. */
async function found(store: Store, person: string, query: string): Promise<string[]> {
  const hits = await store.search(person, query, 1000);
  return hits.map((hit) => `${hit.sessionId} ${hit.turnId} ${hit.role}`).sort();
}

function step(): fc.Arbitrary<Step> {
  const id = fc.constantFrom(...ids);
  const person = fc.constantFrom(...people);
  const free = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('a\0b', 'a\0c', '\ud800', "'; --"));
  const phrase = fc
    .array(fc.constantFrom(...words), { minLength: 1, maxLength: 3 })
    .map((all) => all.join(' '));
  const time = fc.integer({ min: 0, max: 5 });
  const status = fc.constantFrom(...TurnStatus.options);
  const session: fc.Arbitrary<Session> = fc
    .record({ id, person, title: free, updatedAt: time, settings: fc.dictionary(free, free) })
    .map((fields) => aSession({ ...fields, settings: { ...fields.settings } }));
  const turn = (of: Session): fc.Arbitrary<Turn> =>
    fc
      .record({ id, key: fc.constantFrom('k1', 'k2', 'k\0', 'k\0\0'), text: phrase })
      .map(({ text, ...fields }) => aTurn(of, { ...fields, prompt: [{ type: 'text', text }] }));
  const message: fc.Arbitrary<Message> = fc
    .tuple(fc.constantFrom('user' as const, 'assistant' as const), phrase, free)
    .map(([role, text, more]) => {
      const { content } = aMessage(role, text);
      return { role, content: [...content, { type: 'other', more }] };
    });

  const named = (name: string, calls: fc.Arbitrary<Call>): fc.Arbitrary<Step> =>
    calls.map((call) => ({ name, call }));
  return fc.oneof(
    { weight: 1, arbitrary: fc.constant<Step>('reopen') },
    {
      weight: 3,
      arbitrary: named(
        'createSession',
        session.map((one) => (store) => store.createSession(one)),
      ),
    },
    {
      weight: 8,
      arbitrary: named(
        'admit',
        fc.tuple(session, fc.boolean()).chain(([of, newSession]) =>
          turn(of).map(
            (one): Call =>
              (store) =>
                store.admit(one, of, { newSession }),
          ),
        ),
      ),
    },
    {
      weight: 2,
      arbitrary: named(
        'updateSession',
        fc.tuple(id, fc.record({ title: free, updatedAt: time }, { requiredKeys: [] })).map(
          ([one, change]) =>
            (store) =>
              store.updateSession(one, change),
        ),
      ),
    },
    {
      weight: 1,
      arbitrary: named(
        'deleteSession',
        id.map((one) => (store) => store.deleteSession(one)),
      ),
    },
    {
      weight: 4,
      arbitrary: named(
        'updateTurn',
        fc.tuple(id, fc.record({ status, text: free, startedAt: time }, { requiredKeys: [] })).map(
          ([one, change]) =>
            (store) =>
              store.updateTurn(one, change),
        ),
      ),
    },
    {
      weight: 3,
      arbitrary: named(
        'reorderTurns',
        fc.tuple(id, fc.array(id, { maxLength: 6 })).map(
          ([one, order]) =>
            (store) =>
              store.reorderTurns(one, order),
        ),
      ),
    },
    {
      weight: 3,
      arbitrary: named(
        'appendMessages',
        fc.tuple(id, fc.array(message, { maxLength: 3 })).map(
          ([one, added]) =>
            (store) =>
              appendToOwnTurn(store, one, added),
        ),
      ),
    },
    {
      weight: 3,
      arbitrary: named(
        'together',
        fc.tuple(id, id, status, free, fc.array(message, { maxLength: 2 })).map(
          ([one, turnId, next, title, added]): Call =>
            (store) =>
              endTogether(store, one, turnId, { next, title, added }),
        ),
      ),
    },
    {
      weight: 2,
      arbitrary: named(
        'recentMessages',
        fc.tuple(id, fc.nat(4)).map(
          ([one, most]) =>
            (store) =>
              newest(store, one, most),
        ),
      ),
    },
    {
      weight: 4,
      arbitrary: named(
        'appendEvents',
        fc
          .array(fc.tuple(id, fc.integer({ min: 1, max: 300 }), fc.integer({ min: 0, max: 2 })), {
            maxLength: 3,
          })
          .map((parts) => (store) => appendNext(store, parts)),
      ),
    },
    {
      weight: 2,
      arbitrary: named(
        'pruneEvents',
        fc.tuple(id, fc.nat(700)).map(
          ([one, upTo]) =>
            (store) =>
              store.pruneEvents(one, upTo),
        ),
      ),
    },
    {
      weight: 3,
      arbitrary: named(
        'eventsAfter',
        fc.tuple(id, fc.nat(700), fc.nat(300)).map(
          ([one, after, limit]) =>
            (store) =>
              store.eventsAfter(one, after, limit),
        ),
      ),
    },
    {
      weight: 2,
      arbitrary: named(
        'listTurns',
        fc
          .tuple(
            id,
            fc.record({ status: fc.subarray(TurnStatus.options), last: fc.nat(4) }, { requiredKeys: [] }),
          )
          .map(
            ([one, filter]) =>
              (store) =>
                store.listTurns(one, filter),
          ),
      ),
    },
    {
      weight: 2,
      arbitrary: named(
        'search',
        fc.tuple(person, phrase).map(
          ([who, text]) =>
            (store) =>
              found(store, who, text),
        ),
      ),
    },
  );
}

/** Messages of the newest turns up to this many, and the turns that were offered. */
async function newest(store: Store, sessionId: string, most: number): Promise<unknown> {
  const shown: (readonly Message[])[] = [];
  const read = await store.recentMessages(sessionId, (turn) => {
    shown.push(turn);
    return shown.flat().length <= most;
  });
  return { read, shown };
}

/** The gateway only ever adds messages to a turn of the same session. */
async function appendToOwnTurn(store: Store, sessionId: string, messages: readonly Message[]): Promise<void> {
  const [turn] = await store.listTurns(sessionId, { last: 1 });
  await store.appendMessages(sessionId, turn?.id ?? (ids[0] as string), turn ? messages : []);
}

/** Refused as a whole when there is no such turn. */
async function endTogether(
  store: Store,
  sessionId: string,
  turnId: string,
  { next, title, added }: { next: Turn['status']; title: string; added: readonly Message[] },
): Promise<void> {
  const from = (await store.lastSeq(sessionId)) + 1;
  const turn = await store.getTurn(turnId);
  await store.together((unit) => {
    unit.updateSession(sessionId, { title });
    unit.updateTurn(turnId, { status: next });
    unit.appendEvents(deltas(sessionId, from, from + 2));
    if (turn?.sessionId === sessionId || !turn) unit.appendMessages(sessionId, turnId, added);
  });
}

/** Numbers ascend from call to call, sometimes with gaps. */
async function appendNext(
  store: Store,
  parts: readonly (readonly [string, number, number])[],
): Promise<void> {
  const events: Envelope[] = [];
  for (const [sessionId, count, gap] of parts) {
    const before = events.findLast((event) => event.sessionId === sessionId)?.seq;
    const from = (before ?? (await store.lastSeq(sessionId))) + 1 + gap;
    events.push(...deltas(sessionId, from, from + count - 1));
  }
  await store.appendEvents(events);
}
