// The tables as Kysely sees them, and the builder of typed queries. Each database compiles and runs them itself.
import type { AuditAction, BudgetRule, EngineName, LoginKind, Role } from '@parley/protocol';
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
  sessions: SessionTable;
  session_marks: MarkRow;
  branches: BranchRow;
  turns: TurnRow;
  messages: MessageRow;
  passages: PassageRow;
  event_batches: EventBatchRow;
  transcript_records: TranscriptRecordRow;
  logins: LoginRow;
  known_browsers: KnownBrowserRow;
  owed_answers: OwedAnswerRow;
  channel_marks: ChannelMarkRow;
  usage_entries: UsageEntryRow;
  accounts: AccountRow;
  passkeys: PasskeyRow;
  invitations: InvitationRow;
  api_keys: ApiKeyRow;
  audit: AuditRow;
  budget_rules: BudgetRuleRow;
  budget_warnings: BudgetWarningRow;
  shares: ShareRow;
  share_links: ShareLinkRow;
  push_keys: PushKeyRow;
  push_devices: PushDeviceRow;
  push_settings: PushSettingsRow;
}

interface ShareRow {
  session_id: string;
  person: string;
  level: string;
  created_at: number;
}

export interface ShareLinkRow {
  id: string;
  sha256: string;
  session_id: string;
  person: string;
  turns: JsonText;
  /** 0 or 1. */
  is_whole: number;
  language: string;
  created_at: number;
  expires_at: number;
}

/** The server's own key: one row at most. */
interface PushKeyRow {
  id: number;
  private_key: string;
}

interface PushDeviceRow {
  id: string;
  person: string;
  login_id: string;
  endpoint: string;
  p256dh: string;
  auth: string;
  language: string;
  created_at: number;
}

interface PushSettingsRow {
  person: string;
  settings: JsonText;
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

interface SessionTable extends SessionRow {
  /** 0 or 1: lists show only the session of a family that was used last. */
  is_hidden: Generated<number>;
  /** When it is deleted for good; until then it is hidden and can be restored. Negative while it is being deleted. */
  removed_until: Generated<number | null>;
}

/** How a person organizes a session. */
interface MarkRow {
  person: string;
  session_id: string;
  /** 0 or 1. */
  is_pinned: number;
  /** 0 or 1. */
  is_archived: number;
  tags: JsonText;
}

/** A session that begins like another one. */
interface BranchRow {
  /** Ascends in the order in which they were made. */
  id: Generated<number>;
  session_id: string;
  /** The session that all of them come from. */
  family: string;
  parent_id: string;
  after_turn: string | null;
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
  /** Last, because it may contain images: a query for the other columns then doesn't read their pages. */
  prompt: JsonText;
  /** 0 or 1. */
  can_ask: number;
  /** The turn that this one is a copy of. */
  origin: string | null;
  /** Who wrote the prompt, if it wasn't `person`. */
  author: string | null;
}

interface MessageRow {
  /** Ascends within a session. */
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
  /** 0 or 1. */
  turns: number;
}

interface BudgetRuleRow extends Omit<BudgetRule, 'subject'> {
  id: string;
  subject: string | null;
}

/** A warning that somebody got. */
interface BudgetWarningRow {
  key: string;
  day: string;
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
  machine: string;
  file: string;
  record: JsonText;
}

export interface LoginRow {
  id: string;
  /** The credential: a hash of the password, or what other kinds of logins are made with. */
  password_hash: string;
  person: string | null;
  created_at: number;
  expires_at: number;
  origin: string | null;
  kind: LoginKind;
  device: JsonText | null;
  seen_at: number;
}

export interface AccountRow {
  person: string;
  role: Role;
  display_name: JsonText | null;
  password_hash: string | null;
  openid_issuer: JsonText | null;
  openid_subject: JsonText | null;
  assistants: JsonText;
  created_at: number;
  disabled_at: number | null;
}

export interface PasskeyRow {
  id: string;
  person: string;
  name: JsonText;
  public_key: string;
  counter: number;
  transports: JsonText;
  host: string;
  created_at: number;
  last_used_at: number | null;
}

export interface InvitationRow {
  id: string;
  sha256: string;
  person: string;
  role: Role;
  assistants: JsonText;
  created_by: string | null;
  created_at: number;
  expires_at: number;
}

export interface ApiKeyRow {
  id: string;
  label: JsonText;
  sha256: string;
  person: string;
  assistants: JsonText | null;
  /** 0 or 1. */
  read_only: number;
  created_by: string | null;
  created_at: number;
  expires_at: number | null;
  last_used_at: number | null;
}

interface AuditRow {
  /** Ascends; the oldest are removed. */
  id: Generated<number>;
  at: number;
  action: AuditAction;
  person: string | null;
  subject: JsonText | null;
  detail: JsonText | null;
  address: string | null;
}

interface KnownBrowserRow {
  id: string;
  seen_at: number;
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
