// Writes many sessions of three turns each with the store itself, and indexes them for the search: in a home with
// SQLite, or in PostgreSQL.
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { type Envelope, type Message, noUsage, type Session, type Turn } from '@parley/protocol';
import type { Dialect } from '../../src/stores/sql/dialect.ts';
import { insertEvents } from '../../src/stores/sql/events.ts';
import { insertMessages } from '../../src/stores/sql/messages.ts';
import { admitTurn } from '../../src/stores/sql/turns.ts';
import { createUsageBook } from '../../src/stores/sql/usage.ts';
import type { Database, Work } from '../../src/stores/sql/work.ts';
import { type Connection, openConnection } from '../../src/stores/sqlite/connection.ts';
import { sqliteDialect } from '../../src/stores/sqlite/dialect.ts';
import { migrate } from '../../src/stores/sqlite/migrations.ts';
import { openReader } from '../../src/stores/sqlite/reader.ts';
import { SearchIndex } from '../../src/stores/sqlite/search-index.ts';
import { workOn } from '../../src/stores/sqlite/store.ts';
import { seeded } from './spoken-sessions.ts';

/** The first person is measured. The other has as many sessions, with a word that the first one never uses. */
export const people = ['bench', 'other'] as const;
export const wordOfOther = 'gooseberry';
/** In every message. */
export const commonWords = ['conversation', 'about', 'the'] as const;
/** In one message of the first person. */
export const rareWord = 'saffronrisotto';

const turnsPerSession = 3;
export const messagesPerSession = 2 * turnsPerSession;
const wordsPerMessage = 25;
const perCommit = 500;
const spanMs = 365 * 86_400_000;

/** Reuses a home that was filled before. */
export async function grownHome(folder: string, sessions: number): Promise<string> {
  const home = join(folder, `parley-${sessions}`);
  if (existsSync(home)) return home;
  const draft = `${home}.draft`;
  mkdirSync(draft, { recursive: true, mode: 0o700 });
  const connection = openConnection({ file: join(draft, 'parley.db') });
  connection.exec('PRAGMA synchronous = OFF');
  await migrate(connection);
  await fill(connection, sessions);
  await connection.close();
  renameSync(draft, home);
  return home;
}

async function fill(connection: Connection, sessions: number): Promise<void> {
  const index = new SearchIndex(connection);
  const reader = openReader(connection);
  const database = workOn(connection, reader, () => undefined);
  const usage = createUsageBook(database, sqliteDialect);
  await writeSessions(database, sqliteDialect, sessions, {
    usage,
    written: () => index.catchUp(Number.POSITIVE_INFINITY),
  });
  index.close();
  await reader.close();
}

interface WriteOptions {
  /** Records what the turns cost. */
  readonly usage?: ReturnType<typeof createUsageBook>;
  /** Called after each batch. */
  readonly written?: () => Promise<unknown>;
}

export async function writeSessions(
  database: Database,
  dialect: Dialect,
  sessions: number,
  { usage, written }: WriteOptions = {},
): Promise<void> {
  const now = Date.now();
  for (let done = 0; done < sessions; done += perCommit) {
    const writes: Promise<unknown>[] = [];
    for (let at = done; at < Math.min(done + perCommit, sessions); at += 1) {
      const session = sessionOf(at, now - Math.floor(spanMs * (1 - at / sessions)));
      for (let turn = 0; turn < turnsPerSession; turn += 1) {
        writes.push(database.relaxed(() => addTurn(dialect, session, at, turn)));
        if (usage) writes.push(usage.record(spentIn(session)));
      }
    }
    await Promise.all(writes);
    await written?.();
  }
}

function spentIn({ createdAt, person, id: sessionId, engine }: Session) {
  const spent = { ...noUsage, inputTokens: 900, outputTokens: 80, costUsd: random() / 100 };
  return { at: createdAt, person, sessionId, engine, door: 'web', model: 'claude', usage: spent };
}

function* addTurn(dialect: Dialect, session: Session, at: number, number: number): Work<void> {
  const own = [
    ...(session.person === people[1] ? [wordOfOther] : []),
    ...(at === 0 && number === 0 ? [rareWord] : []),
  ];
  const [question, answer] = [textOf(own), textOf(own)];
  const id = uuid();
  const turn: Turn = {
    id,
    sessionId: session.id,
    key: id,
    door: 'web',
    prompt: [{ type: 'text', text: question }],
    status: 'completed',
    after: number * 3,
    text: answer,
    usage: noUsage,
    queuedAt: session.createdAt + number,
    startedAt: session.createdAt + number,
    endedAt: session.createdAt + number,
  };
  yield* admitTurn(dialect, turn, session, number === 0);
  const message = (role: Message['role'], text: string): Message => ({
    role,
    content: [{ type: 'text', text }],
  });
  yield* insertMessages(dialect, session.id, id, [message('user', question), message('assistant', answer)]);
  const event = (offset: number, event: Envelope['event']): Envelope => ({
    seq: turn.after + offset,
    sessionId: session.id,
    turnId: id,
    at: turn.queuedAt,
    event,
  });
  yield* insertEvents([
    event(1, { type: 'turn.started', prompt: turn.prompt, door: 'web' }),
    event(2, { type: 'text.delta', text: answer }),
    event(3, { type: 'turn.ended', outcome: 'completed', text: answer, usage: noUsage, durationMs: 1 }),
  ]);
}

/** The two people take turns. */
function sessionOf(at: number, createdAt: number): Session {
  return {
    id: uuid(),
    person: people[at % 2] ?? people[0],
    engine: 'messages-api',
    assistant: 'notes',
    title: `Conversation ${at}`,
    settings: {},
    createdAt,
    updatedAt: createdAt,
  };
}

// The same texts in every run. A few words are frequent, most are rare.
const random = seeded(20_261_116);

const syllables = [
  'ba',
  'con',
  'di',
  'el',
  'fra',
  'go',
  'hi',
  'in',
  'ka',
  'lo',
  'mi',
  'nu',
  'or',
  'pe',
  're',
  'so',
];
const vocabulary = Array.from({ length: 30_000 }, (_, at) =>
  [at % 16, (at >> 4) % 16, (at >> 8) % 16, (at >> 12) % 16]
    .map((syllable) => syllables[syllable])
    .slice(0, 2 + (at % 3))
    .join(''),
);

function textOf(own: readonly string[]): string {
  const words: string[] = [...commonWords, ...own];
  while (words.length < wordsPerMessage)
    words.push(vocabulary[Math.floor(Math.exp(random() * Math.log(vocabulary.length))) - 1] ?? '');
  return words.join(' ');
}

function uuid(): string {
  const hex = Array.from({ length: 4 }, () =>
    Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0'),
  ).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}
