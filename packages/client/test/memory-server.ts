// An in-memory server behind the client's `fetch` and `WebSocket`, so that tests decide what arrives when. The tests
// with a real server are in the server package.
import type {
  Envelope,
  LiveClientMessage,
  LiveServerMessage,
  PastEntry,
  SessionDetails,
  SessionEvent,
} from '@parley/protocol';
import { noUsage } from '@parley/protocol';
import { createClient, type Environment, type ParleyClient, type WebSocketLike } from '../src/index.ts';

export const sessionId = '11111111-1111-4111-8111-111111111111';

type Listeners = Record<'open' | 'message' | 'close' | 'error', ((event: never) => void)[]>;

export class MemoryServer {
  /** What is in the past, oldest first. */
  readonly past: PastEntry[] = [];
  readonly subagentPast = new Map<string, PastEntry[]>();
  readonly events: Envelope[] = [];
  /** Whoever opens the session gets the events after this number. */
  after = 0;
  readonly details: Partial<SessionDetails> = {};
  readonly received: LiveClientMessage[] = [];
  readonly requests: string[] = [];
  /** The person that each request was for. */
  readonly people: (string | undefined)[] = [];
  readonly socketUrls: string[] = [];
  /** The turn that a prompt gets. */
  promptTurn = '';
  isDown = false;
  isBusy = false;
  readonly #sockets = new Set<MemorySocket>();

  client(environment?: Environment, person?: () => string | undefined): ParleyClient {
    const { people, socketUrls } = this;
    const connect = (socket: MemorySocket) => this.#connect(socket);
    const receive = (socket: MemorySocket, message: LiveClientMessage) => this.#receive(socket, message);
    const forget = (socket: MemorySocket) => this.#sockets.delete(socket);
    return createClient({
      baseUrl: 'http://parley.test/app',
      WebSocket: class extends MemorySocket {
        constructor(url: string) {
          super(receive, forget);
          socketUrls.push(url);
          connect(this);
        }
      },
      fetch: async (input, init) => {
        people.push(new Headers(init?.headers).get('x-notes-person') ?? undefined);
        return this.#answer(new URL(input instanceof Request ? input.url : input));
      },
      environment,
      person,
    });
  }

  publish(event: SessionEvent, turnId?: string): void {
    const envelope = {
      seq: (this.events.at(-1)?.seq ?? this.after) + 1,
      sessionId,
      at: 1_000 + this.events.length,
      ...(turnId !== undefined && { turnId }),
      event,
    };
    this.events.push(envelope);
    this.send({ type: 'event', envelope });
  }

  send(message: LiveServerMessage): void {
    for (const socket of this.#sockets) socket.emit('message', { data: JSON.stringify(message) });
  }

  closeSockets(code: number): void {
    for (const socket of this.#sockets) socket.emit('close', { code, reason: 'Bye.' });
    this.#sockets.clear();
  }

  #receive(socket: MemorySocket, message: LiveClientMessage): void {
    this.received.push(message);
    if (message.type !== 'subscribe') return;
    const after = message.after ?? this.events.at(-1)?.seq ?? this.after;
    const reply = (answer: LiveServerMessage) => socket.emit('message', { data: JSON.stringify(answer) });
    reply({ type: 'subscribed', session: message.session, after });
    for (const envelope of this.events) if (envelope.seq > after) reply({ type: 'event', envelope });
  }

  #connect(socket: MemorySocket): void {
    queueMicrotask(() => {
      if (this.isDown) return socket.emit('close', { code: 1006, reason: '' });
      this.#sockets.add(socket);
      socket.emit('open', {});
    });
  }

  #answer({ pathname, searchParams }: URL): Response {
    this.requests.push(`${pathname}?${searchParams.toString()}`);
    if (this.isDown) throw new TypeError('fetch failed');
    if (this.isBusy)
      return Response.json({ error: { code: 'busy', message: 'Try again.' } }, { status: 429 });
    if (pathname === `/app/api/sessions/${sessionId}`) return Response.json(this.#detailsNow());
    if (pathname === `/app/api/sessions/${sessionId}/past`) return Response.json(this.#page(searchParams));
    if (pathname === `/app/api/sessions/${sessionId}/prompts`)
      return Response.json({ turnId: this.promptTurn });
    return Response.json(
      { error: { code: 'not_found', message: 'There is nothing here.' } },
      { status: 404 },
    );
  }

  #detailsNow(): SessionDetails {
    return {
      session: {
        id: sessionId,
        person: 'petra',
        engine: 'claude-code',
        assistant: '',
        title: 'Beds',
        createdAt: 1,
        updatedAt: 1,
        settings: {},
      },
      turns: [],
      usage: noUsage,
      running: null,
      queue: [],
      permissions: [],
      lastSeq: this.events.at(-1)?.seq ?? this.after,
      ...this.details,
    };
  }

  #page(query: URLSearchParams): object {
    const entries = this.subagentPast.get(query.get('subagent') ?? '') ?? this.past;
    const end = Number(query.get('before') ?? entries.length);
    const start = Math.max(0, end - Number(query.get('limit')));
    return {
      entries: entries.slice(start, end),
      before: start > 0 ? String(start) : null,
      after: this.after,
    };
  }
}

class MemorySocket implements WebSocketLike {
  readonly #receive: (socket: MemorySocket, message: LiveClientMessage) => void;
  readonly #closed: (socket: MemorySocket) => void;
  readonly #listeners: Listeners = { open: [], message: [], close: [], error: [] };

  constructor(
    receive: (socket: MemorySocket, message: LiveClientMessage) => void,
    closed: (socket: MemorySocket) => void,
  ) {
    this.#receive = receive;
    this.#closed = closed;
  }

  addEventListener(type: keyof Listeners, listener: (event: never) => void): void {
    this.#listeners[type].push(listener);
  }

  emit(type: keyof Listeners, event: object): void {
    for (const listener of this.#listeners[type]) listener(event as never);
  }

  send(data: string): void {
    this.#receive(this, JSON.parse(data) as LiveClientMessage);
  }

  close(): void {
    this.#closed(this);
  }
}
