// The simplest possible implementation of the port, in arrays. Random sequences compare a store with it.
import {
  type Envelope,
  type Message,
  messageText,
  ParleyError,
  promptText,
  type Session,
  type SessionId,
  type Turn,
} from '@parley/protocol';
import { turnEndOf } from '../../../src/domain/replaced-turns.ts';
import type { Admission, SearchHit, Store } from '../../../src/domain/store.ts';

interface OwnedTurn {
  readonly person: string;
  readonly turn: Turn;
}

interface KeptMessage {
  readonly sessionId: SessionId;
  readonly turnId: string;
  readonly message: Message;
}

export function createModelStore(): Store {
  let sessions: Session[] = [];
  let turns: OwnedTurn[] = [];
  let messages: KeptMessage[] = [];
  let events: Envelope[] = [];
  const lastSeqs = new Map<SessionId, number>();

  const session = (id: SessionId) => sessions.find((one) => one.id === id);

  function admission(person: string, key: string): Admission | undefined {
    const turn = turns.find((one) => one.person === person && one.turn.key === key)?.turn;
    return turn && { turn, session: session(turn.sessionId) as Session, fresh: false };
  }

  function addSession(added: Session): void {
    if (session(added.id)) throw new ParleyError('conflict', 'taken');
    sessions.push(added);
  }

  const store: Store = {
    async together(collect) {
      const before = { sessions, turns, messages: [...messages], events: [...events], seqs: [...lastSeqs] };
      const writes: (() => Promise<unknown>)[] = [];
      collect({
        updateSession: (...args) => void writes.push(() => store.updateSession(...args)),
        updateTurn: (...args) => void writes.push(() => store.updateTurn(...args)),
        appendMessages: (...args) => void writes.push(() => store.appendMessages(...args)),
        appendEvents: (...args) => void writes.push(() => store.appendEvents(...args)),
      });
      try {
        for (const write of writes) await write();
      } catch (thrown) {
        ({ sessions, turns, messages, events } = before);
        lastSeqs.clear();
        for (const [id, seq] of before.seqs) lastSeqs.set(id, seq);
        throw thrown;
      }
    },
    getSession: async (id) => session(id),
    async listSessions(person, { limit, cursor }) {
      const own = sessions
        .filter((one) => one.person === person)
        .sort((a, b) => b.updatedAt - a.updatedAt || (a.id < b.id ? 1 : -1));
      const from = cursor === undefined ? 0 : Number(cursor);
      const page = own.slice(from, from + limit);
      return from + limit < own.length ? { sessions: page, next: String(from + limit) } : { sessions: page };
    },
    async updateSession(id, change) {
      sessions = sessions.map((one) => (one.id === id ? { ...one, ...change } : one));
      return session(id) !== undefined;
    },
    async deleteSession(id) {
      const known = session(id) !== undefined;
      sessions = sessions.filter((one) => one.id !== id);
      turns = turns.filter(({ turn }) => turn.sessionId !== id);
      messages = messages.filter((message) => message.sessionId !== id);
      events = events.filter((event) => event.sessionId !== id);
      lastSeqs.delete(id);
      return known;
    },
    async admit(turn, given, { newSession }) {
      const earlier = admission(given.person, turn.key);
      if (earlier) return earlier;
      const kept = newSession ? given : session(turn.sessionId);
      if (kept?.person !== given.person) throw new ParleyError('not_found', 'unknown');
      if (turns.some((one) => one.turn.id === turn.id)) throw new ParleyError('conflict', 'taken');
      if (newSession) addSession(given);
      turns.push({ person: given.person, turn });
      return { turn, session: kept, fresh: true };
    },
    findAdmission: async (person, key) => admission(person, key),
    createSession: async (added) => addSession(added),
    getTurn: async (id) => turns.find(({ turn }) => turn.id === id)?.turn,
    async listTurns(sessionId, { status, last } = {}) {
      const found = turns
        .map(({ turn }) => turn)
        .filter((turn) => turn.sessionId === sessionId && (!status || status.includes(turn.status)));
      return found.slice(last === undefined ? 0 : Math.max(0, found.length - last));
    },
    async updateTurn(id, change) {
      turns = turns.map((one) => (one.turn.id === id ? { ...one, turn: { ...one.turn, ...change } } : one));
    },
    async reorderTurns(sessionId, order) {
      const waiting = turns.filter(({ turn }) => turn.sessionId === sessionId && turn.status === 'queued');
      const rank = (id: string) => (order.includes(id) ? order.indexOf(id) : order.length);
      const sorted = waiting.toSorted((a, b) => rank(a.turn.id) - rank(b.turn.id));
      turns = turns.map((one) => (waiting.includes(one) ? (sorted.shift() ?? one) : one));
    },
    unfinishedTurns: async () =>
      turns.map(({ turn }) => turn).filter((turn) => turn.status === 'queued' || turn.status === 'running'),
    async appendMessages(sessionId, turnId, added) {
      if (added.length === 0) return;
      if (!session(sessionId) || !turns.some(({ turn }) => turn.id === turnId)) {
        throw new ParleyError('not_found', 'unknown');
      }
      messages.push(...added.map((message) => ({ sessionId, turnId, message })));
    },
    async recentMessages(sessionId, isWanted) {
      const own = messages.filter((one) => one.sessionId === sessionId);
      let from = own.length;
      while (from > 0) {
        const start = 1 + own.findLastIndex((one, at) => at < from && one.turnId !== own[from - 1]?.turnId);
        if (!isWanted(own.slice(start, from).map((one) => one.message))) break;
        from = start;
      }
      const olderTurns = new Set(own.slice(0, from).map((one) => one.turnId)).size;
      const wanted = own.slice(from);
      const spoken = [...new Set(wanted.map(({ turnId }) => turnId))].map((turnId) => {
        const turn = turns.find(({ turn: { id } }) => id === turnId)?.turn;
        return {
          messages: wanted.filter((one) => one.turnId === turnId).map((one) => one.message),
          end: turn ? turnEndOf({ status: turn.status, hasError: turn.error !== undefined }) : 'completed',
        };
      });
      return { turns: spoken, olderTurns };
    },
    async search(person, query) {
      const words = query.split(' ');
      const matches = (text: string) => words.every((word) => text.split(/\P{L}+/u).includes(word));
      const own = turns.filter((one) => one.person === person && one.turn.status !== 'withdrawn');
      return own.flatMap(({ turn: { id, sessionId, prompt } }) => {
        const said = messages.filter((one) => one.turnId === id).map((one) => one.message);
        const asked = { role: 'user' as const, text: promptText(prompt) };
        const texts = [asked, ...said.map(({ role, content }) => ({ role, text: messageText(content) }))];
        const roles = new Set(texts.filter(({ text }) => matches(text)).map(({ role }) => role));
        return [...roles].map((role): SearchHit => ({ sessionId, turnId: id, role, snippet: '' }));
      });
    },
    async appendEvents(added) {
      for (const event of added) {
        if (!session(event.sessionId)) continue;
        events.push(event);
        lastSeqs.set(event.sessionId, event.seq);
      }
    },
    eventsAfter: async (sessionId, after, limit) =>
      events.filter((event) => event.sessionId === sessionId && event.seq > after).slice(0, limit),
    // Only about: the model is not compared with it.
    storedBytes: async () => 0,
    lastSeq: async (sessionId) => lastSeqs.get(sessionId) ?? 0,
    async pruneEvents(sessionId, upTo) {
      events = events.filter((event) => event.sessionId !== sessionId || event.seq > upTo);
    },
    close: async () => undefined,
  };
  return store;
}
