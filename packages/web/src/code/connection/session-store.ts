// A session as its page holds it: the folded view, what can be sent, and older messages on demand. Messages are
// folded once per frame of the screen, however fast they come.
import type { CodeClientMessage, CodeMessagePage, ConnectedData, PromptContent } from '@parley/protocol';
import { get } from '../../api/http.ts';
import { newId } from '../../api/new-id.ts';
import { foldOlder, foldSubagent } from '../model/fold-frames.ts';
import type { Frame } from '../model/read.ts';
import { emptyView, foldMessages, type SessionView } from '../model/session-view.ts';
import { ReconnectingSocket, type SocketState } from './session-socket.ts';

export interface SessionSnapshot {
  readonly view: SessionView;
  readonly connection: SocketState;
  /** Undefined until the first older page was read, null at the beginning of the transcript. */
  readonly before: string | null | undefined;
  readonly isLoadingOlder: boolean;
}

const olderPage = 200;
/** A subagent that said more shows the last of it. */
const subagentPage = 500;
/** Browsers draw no frames of a page that nobody sees. */
const hiddenBatchMs = 200;

export class SessionStore {
  readonly #id: string;
  readonly #listeners = new Set<() => void>();
  readonly #socket: ReconnectingSocket;
  /** Calls whose subagents were asked for. */
  readonly #subagents = new Set<string>();
  #waiting: Frame[] = [];
  #isScheduled = false;
  #isClosed = false;
  #snapshot: SessionSnapshot = {
    view: emptyView,
    connection: { type: 'connecting' },
    before: undefined,
    isLoadingOlder: false,
  };

  constructor(id: string) {
    this.#id = id;
    this.#socket = new ReconnectingSocket({
      path: () => {
        this.#fold();
        const { after } = this.#snapshot.view;
        return `/api/claude/sessions/${id}/ws${after === undefined ? '' : `?after=${after}`}`;
      },
      onMessage: (data) => this.#take(data),
      onState: (connection) => this.#change({ connection }),
    });
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly read = (): SessionSnapshot => this.#snapshot;

  send(message: CodeClientMessage): boolean {
    return this.#socket.send(JSON.stringify(message));
  }

  /** Shown at once. While the connection is away it waits, and goes out with the next one. */
  prompt(content: PromptContent, options: { steer?: boolean } = {}): void {
    const key = newId();
    const sent = [...this.#snapshot.view.sent, { key, content, hasFailed: false }];
    this.#changeView({ sent, problem: undefined });
    this.send({ type: 'text', content, key, ...(options.steer === true && { steer: true }) });
  }

  /** Takes back one that did not go through; gives its content. */
  discard(key: string): void {
    this.#changeView({ sent: this.#snapshot.view.sent.filter((prompt) => prompt.key !== key) });
  }

  retry(key: string): void {
    const prompt = this.#snapshot.view.sent.find((one) => one.key === key);
    this.discard(key);
    if (prompt) this.prompt(prompt.content);
  }

  dismissProblem(): void {
    this.#changeView({ problem: undefined });
  }

  async loadOlder(): Promise<void> {
    const { before, isLoadingOlder, view } = this.#snapshot;
    if (before === null || isLoadingOlder || view.after === undefined) return;
    this.#change({ isLoadingOlder: true });
    const { generation } = view;
    try {
      const query = new URLSearchParams({
        limit: String(olderPage),
        ...(before !== undefined && { before }),
      });
      const page = await get<CodeMessagePage>(`/api/claude/sessions/${this.#id}/messages?${query}`);
      this.#fold();
      if (this.#isClosed || this.#snapshot.view.generation !== generation) return;
      const transcript = foldOlder(this.#snapshot.view.transcript, page.messages);
      this.#change({ view: { ...this.#snapshot.view, transcript }, before: page.before });
    } finally {
      this.#change({ isLoadingOlder: false });
    }
  }

  /** What a subagent said before this page was opened is kept apart from the session. Asked for once. */
  async loadSubagent(call: string): Promise<void> {
    if (this.#subagents.has(call)) return;
    this.#subagents.add(call);
    const { generation } = this.#snapshot.view;
    const query = new URLSearchParams({ limit: String(subagentPage), subagent: call });
    try {
      const page = await get<CodeMessagePage>(`/api/claude/sessions/${this.#id}/messages?${query}`);
      this.#fold();
      const { view } = this.#snapshot;
      if (this.#isClosed || view.generation !== generation) return;
      this.#changeView({ transcript: foldSubagent(view.transcript, call, page.messages) });
    } catch (error) {
      this.#subagents.delete(call);
      throw error;
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#socket.close();
    this.#listeners.clear();
  }

  #take(data: string | ArrayBuffer): void {
    if (typeof data !== 'string') return;
    this.#waiting.push(JSON.parse(data) as Frame);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    if (document.visibilityState === 'visible') requestAnimationFrame(() => this.#flush());
    else setTimeout(() => this.#flush(), hiddenBatchMs);
  }

  #flush(): void {
    this.#isScheduled = false;
    // The past appears as a whole: a list that grows while it opens would jump.
    if (!isPastMissing(this.#waiting)) this.#fold();
  }

  #fold(): void {
    if (this.#waiting.length === 0 || this.#isClosed) return;
    const messages = this.#waiting;
    this.#waiting = [];
    const { view } = this.#snapshot;
    const next = foldMessages(view, messages);
    const isFresh = next.generation !== view.generation;
    if (isFresh) this.#subagents.clear();
    this.#change({ view: next, ...(isFresh && { before: undefined }) });
    if (messages.some(({ type }) => type === 'connected')) this.#sendAgain();
  }

  /** What was sent into a breaking connection may be lost; the key keeps it from being taken twice. */
  #sendAgain(): void {
    for (const { key, content, hasFailed } of this.#snapshot.view.sent) {
      if (!hasFailed) this.send({ type: 'text', content, key });
    }
  }

  #changeView(change: Partial<SessionView>): void {
    this.#change({ view: { ...this.#snapshot.view, ...change } });
  }

  #change(change: Partial<SessionSnapshot>): void {
    this.#snapshot = { ...this.#snapshot, ...change };
    for (const listener of this.#listeners) listener();
  }
}

/** Whether messages that a greeting promised are still to come. */
function isPastMissing(messages: readonly Frame[]): boolean {
  const at = messages.findLastIndex(({ type }) => type === 'connected');
  const greeting = messages[at] as unknown as { data: ConnectedData } | undefined;
  return greeting !== undefined && messages.length - 1 - at < greeting.data.cached;
}
