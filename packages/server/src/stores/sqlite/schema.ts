// The tables as Kysely sees them, and the builder that turns typed queries into SQL. Kysely only writes the SQL: the
// connection runs it synchronously, so that a transaction never waits.
import type { EngineName } from '@parley/protocol';
import {
  DummyDriver,
  type Generated,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';

/** Text from a person or a model, as JSON, because the driver would cut a plain string at its first NUL. */
type JsonText = string;

interface Tables {
  sessions: SessionRow;
  turns: TurnRow;
  messages: MessageRow;
  passages: PassageRow;
  event_batches: EventBatchRow;
  transcript_records: TranscriptRecordRow;
  logins: LoginRow;
  owed_answers: OwedAnswerRow;
  channel_marks: ChannelMarkRow;
  usage_entries: UsageEntryRow;
}

export interface SessionRow {
  id: string;
  person: string;
  engine: string;
  assistant: string;
  created_at: number;
  updated_at: number;
  title: JsonText;
  settings: JsonText;
}

export interface TurnRow {
  id: string;
  session_id: string;
  /** The owner of the session, repeated here because (person, key) is unique. */
  person: string;
  key: JsonText;
  door: string;
  status: string;
  /** Ascends across all sessions in the order of admission; reordering a queue swaps positions within it. */
  position: number;
  after_seq: number;
  queued_at: number;
  started_at: number | null;
  ended_at: number | null;
  usage: JsonText;
  error: JsonText | null;
  text: JsonText;
  /** Last, because it may contain images, whose pages are then not read for the other columns. */
  prompt: JsonText;
  /** 0 or 1. */
  can_ask: number;
}

interface MessageRow {
  /** Ascends within a conversation. */
  id: Generated<number>;
  session_id: string;
  turn_id: string;
  role: string;
  content: JsonText;
}

/** The text of a prompt or a message, for the full-text index. */
interface PassageRow {
  id: Generated<number>;
  turn_id: string;
  role: string;
  text: string;
}

interface UsageEntryRow {
  at: number;
  person: string;
  session_id: string;
  engine: EngineName;
  door: string;
  model: string;
  input_tokens: number;
  output_tokens: number;
  cache_read_tokens: number;
  cache_write_tokens: number;
  cost_usd: number;
}

/** Several events of one session; an empty batch keeps the last number after pruning. */
export interface EventBatchRow {
  session_id: string;
  first_seq: number;
  last_seq: number;
  events: JsonText;
}

/** What the transcript index read from one file. */
interface TranscriptRecordRow {
  file: string;
  record: JsonText;
}

export interface LoginRow {
  id: string;
  password_hash: string;
  person: string | null;
  created_at: number;
  expires_at: number;
}

/** An answer that a chat has not received yet; once settled, only its key stays. */
export interface OwedAnswerRow {
  /** Ascends in the order in which the answers were added. */
  id: Generated<number>;
  key: string;
  channel: string;
  address: JsonText;
  turn: JsonText | null;
  text: JsonText | null;
  sent_parts: number;
  attempt: JsonText | null;
  status: JsonText | null;
  owed_at: number;
  settled_at: number | null;
}

/** The highest message number of a chat service so far. */
interface ChannelMarkRow {
  channel: string;
  counter: string;
  highest: number;
}

export const query = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});
