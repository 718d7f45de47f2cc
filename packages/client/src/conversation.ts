// One conversation: what it shows, kept in step with the server, and what a person can do in it.
import type {
  Decision,
  Envelope,
  FoundInSession,
  PastPage,
  SessionDetails,
  SessionId,
  TurnId,
} from '@parley/protocol';
import { Batches } from './batches.ts';
import { type ConversationSnapshot, unopened } from './conversation-snapshot.ts';
import type { WatchedEnvironment } from './environment.ts';
import { foldEntries, foldOlder, foldSubagent } from './fold.ts';
import { type Follower, followConversation, pageSize } from './following.ts';
import { hasEnded } from './opening.ts';
import { Outbox, type PromptStorage, type SentPrompt } from './outbox.ts';
import type { PromptContent, SessionChange, Sessions } from './sessions.ts';
import type { Transport } from './transport.ts';
import type { ConversationView } from './view.ts';

export interface ConversationParts {
  readonly sessions: Sessions;
  readonly transport: Transport;
  readonly environment: WatchedEnvironment;
  readonly storage: PromptStorage | undefined;
}

/** If a subagent said more, only the end is loaded. */
const subagentPageSize = 500;

/** The page size while looking for a message that may be far back. */
const seekSize = 1_000;

/** Problems that a new turn does not solve. */
const lasting: readonly string[] = ['not_resumable', 'in_terminal'];

export class Conversation {
  readonly id: SessionId;
  readonly #parts: ConversationParts;
  readonly #outbox: Outbox;
  readonly #listeners = new Set<() => void>();
  readonly #batches: Batches<Envelope>;
  /** Subagents whose past was asked for. */
  readonly #subagents = new Set<string>();
  #users = 0;
  #following: AbortController | undefined;
  #before: string | null = null;
  #snapshot: ConversationSnapshot;

  constructor(id: SessionId, parts: ConversationParts) {
    this.id = id;
    this.#parts = parts;
    this.#outbox = new Outbox(id, parts.sessions, (sent) => this.#change({ sent }), parts.storage);
    this.#batches = new Batches(parts.environment, (envelopes) => this.#fold(envelopes));
    this.#snapshot = { ...unopened, connection: parts.transport.connection.snapshot() };
    this.#outbox.resume();
  }

  readonly snapshot = (): ConversationSnapshot => this.#snapshot;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Nobody uses it, and everything that was sent has arrived. */
  get isIdle(): boolean {
    return this.#users === 0 && this.#snapshot.sent.length === 0;
  }

  /** Opens it and keeps it in step until every user has called the function that this returns. */
  readonly use = (): (() => void) => {
    this.#users += 1;
    if (this.#users === 1) this.#start();
    let isLeft = false;
    return () => {
      if (isLeft) return;
      isLeft = true;
      this.#users -= 1;
      if (this.#users === 0) this.#stop();
    };
  };

  /** Reads everything again from the server. */
  reopen(): void {
    this.#stop();
    this.#change({ status: 'opening', error: undefined, problem: undefined });
    if (this.#users > 0) this.#start();
  }

  /** Shows it in `sent` at once and sends it, even while nobody uses the conversation. */
  send(content: PromptContent, options: { readonly steer?: boolean } = {}): void {
    this.#outbox.send(content, options.steer ?? false);
  }

  retry(key: string): void {
    this.#outbox.retry(key);
  }

  /** Takes a prompt out of `sent` and returns it, for example to edit it. */
  discard(key: string): SentPrompt | undefined {
    return this.#outbox.discard(key);
  }

  /** Interrupts the running turn. */
  async stop(): Promise<void> {
    await this.#parts.sessions.interrupt(this.id);
  }

  withdraw(turnId: TurnId): Promise<void> {
    return this.#parts.sessions.withdraw(this.id, turnId);
  }

  reorder(order: readonly TurnId[]): Promise<void> {
    return this.#parts.sessions.reorder(this.id, order);
  }

  decide(permissionId: string, decision: Decision): Promise<void> {
    return this.#parts.sessions.decide(this.id, permissionId, decision);
  }

  async configure(change: SessionChange): Promise<void> {
    const session = await this.#parts.sessions.configure(this.id, change);
    const { code } = this.#snapshot;
    this.#change({ session, code: code && { ...code, view: { ...code.view, title: session.title } } });
  }

  async loadOlder(limit = pageSize): Promise<void> {
    const before = this.#before;
    if (before === null || this.#snapshot.isLoadingOlder) return;
    this.#change({ isLoadingOlder: true });
    try {
      const page = await this.#loadPage({ before, limit });
      if (!page) return;
      this.#before = page.before;
      this.#change({
        view: foldOlder(this.#snapshot.view, page.entries),
        hasOlder: page.before !== null,
      });
    } finally {
      this.#change({ isLoadingOlder: false });
    }
  }

  /** Where a text occurs, oldest first, loaded or not. */
  find(text: string, signal?: AbortSignal): Promise<FoundInSession> {
    return this.#parts.sessions.find(this.id, text, signal);
  }

  /** Loads older messages until this turn, or line of the transcript, is loaded. False if there is none. */
  async loadTo(id: string, signal: AbortSignal): Promise<boolean> {
    while (!this.#snapshot.view.seen.has(id)) {
      if (signal.aborted || !this.#snapshot.hasOlder) return false;
      if (this.#snapshot.isLoadingOlder) await this.#changed();
      else await this.loadOlder(seekSize);
    }
    return true;
  }

  /** Loads, once, what a subagent said before the conversation was opened. `call` is the tool call that runs it. */
  async loadSubagent(call: string): Promise<void> {
    if (this.#subagents.has(call)) return;
    this.#subagents.add(call);
    try {
      const page = await this.#loadPage({ subagent: call, limit: subagentPageSize });
      if (page) this.#change({ view: foldSubagent(this.#snapshot.view, call, page.entries) });
    } catch (error) {
      this.#subagents.delete(call);
      throw error;
    }
  }

  /** Stops everything. The conversation can't be used afterwards. */
  close(): void {
    this.#stop();
    this.#outbox.close();
    this.#listeners.clear();
  }

  /** Undefined if everything was read again in the meantime. */
  async #loadPage(query: {
    before?: string;
    subagent?: string;
    limit: number;
  }): Promise<PastPage | undefined> {
    const { generation } = this.#snapshot;
    const page = await this.#parts.sessions.past(this.id, query);
    return this.#snapshot.generation === generation ? page : undefined;
  }

  /** If the session is no longer shared, this fails, but so does following it. */
  async #loadAccess(signal: AbortSignal): Promise<void> {
    const { access } = await this.#parts.sessions.get(this.id, signal);
    if (this.#snapshot.status === 'open') this.#change({ access });
  }

  #start(): void {
    const following = new AbortController();
    this.#following = following;
    const { signal } = following;
    const { connection, rights } = this.#parts.transport;
    const connectionChanged = () => {
      this.#change({ connection: connection.snapshot() });
      if (connection.snapshot() === 'open') this.#outbox.connected();
    };
    signal.addEventListener('abort', connection.subscribe(connectionChanged));
    connectionChanged();
    signal.addEventListener(
      'abort',
      rights.subscribe(() => void this.#loadAccess(signal).catch(() => undefined)),
    );
    const follower: Follower = {
      position: () => (this.#snapshot.status === 'open' ? this.#snapshot.view.seq : undefined),
      onOpened: (...opened) => this.#opened(...opened),
      onFailed: (error) => this.#change({ status: 'failed', error }),
      onEvent: (envelope) => this.#batches.add(envelope),
      onPresence: (presence) => this.#change({ presence }),
      onProblem: (problem) => this.#change({ problem }),
    };
    void followConversation(this.id, this.#parts, follower, signal);
  }

  #stop(): void {
    this.#following?.abort();
    this.#following = undefined;
    this.#batches.clear();
  }

  #opened(
    { session, access, code, turns, lastSeq }: SessionDetails,
    page: PastPage,
    view: ConversationView,
  ): void {
    const wasOpen = this.#snapshot.session !== undefined;
    this.#before = page.before;
    this.#subagents.clear();
    this.#batches.clear();
    this.#change({
      status: 'open',
      error: undefined,
      session,
      access,
      code,
      view,
      hasOlder: page.before !== null,
      openedAt: lastSeq,
      generation: this.#snapshot.generation + (wasOpen ? 1 : 0),
    });
    this.#outbox.settle(view, new Set(turns.filter(hasEnded).map(({ id }) => id)));
  }

  #fold(envelopes: readonly Envelope[]): void {
    const view = foldEntries(this.#snapshot.view, envelopes);
    // A turn shows that the session works again, unless every turn must fail.
    const isOver = view.running !== undefined && !lasting.includes(this.#snapshot.problem?.code ?? '');
    this.#change({ view, ...(isOver && { problem: undefined }) });
    this.#outbox.settle(view);
  }

  #changed(): Promise<void> {
    return new Promise((resolve) => {
      const stop = this.subscribe(() => {
        stop();
        resolve();
      });
    });
  }

  #change(change: Partial<ConversationSnapshot>): void {
    this.#snapshot = { ...this.#snapshot, ...change };
    for (const listener of this.#listeners) listener();
  }
}
