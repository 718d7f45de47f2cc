// The entry point: a client for one Parley server, in a browser or in Node.
import type { Envelope, Seq, SessionId } from '@parley/protocol';
import { type Changes, sessionChanges } from './changes.ts';
import { Conversation } from './conversation.ts';
import { type Environment, watchEnvironment } from './environment.ts';
import { EventStreams } from './event-streams.ts';
import { type Files, noteFiles, sessionFiles } from './files.ts';
import { createHttp, type Http, type HttpOptions } from './http.ts';
import { iterate } from './iterate.ts';
import { LiveSocket, noWebSocket } from './live-socket.ts';
import type { Observable } from './observable.ts';
import type { PromptStorage } from './outbox.ts';
import {
  loggedOutCode,
  ReconnectingSocket,
  type SocketHandlers,
  socketMaker,
  type WebSocketConstructor,
} from './reconnecting-socket.ts';
import { createSessions, type Sessions } from './sessions.ts';
import type { ConnectionState, Notification, Transport } from './transport.ts';

export interface ClientOptions extends HttpOptions {
  /** Needed where there is no global WebSocket: in Node before 22, pass the one from `ws`. */
  readonly WebSocket?: WebSocketConstructor | undefined;
  /** How events arrive: over one WebSocket for everything (default), or one event stream for each subscription. */
  readonly transport?: 'websocket' | 'sse' | undefined;
  /** Where prompts of conversations wait for the server. Without it they wait in memory. */
  readonly storage?: PromptStorage | undefined;
  /** In a browser: `pageEnvironment(window)`. */
  readonly environment?: Environment | undefined;
}

export interface SubscribeOptions {
  /** Events after this number; without it, only new ones. */
  readonly after?: Seq | undefined;
  /** Ends the iteration. */
  readonly signal?: AbortSignal | undefined;
}

export interface ParleyClient extends Pick<Http, 'address' | 'personalAddress' | 'request' | 'get' | 'send'> {
  readonly sessions: Sessions;
  /** The files of a Claude Code session. */
  files(session: SessionId): Files;
  /** What a Claude Code session changed. */
  changes(session: SessionId): Changes;
  /** The person's notes. */
  notes(): Files;
  readonly connection: Observable<ConnectionState>;
  /** Goes up when the person's rights, or what they can see, may have changed. Only a WebSocket reports it. */
  readonly rights: Observable<number>;
  /** Resumes by number after a break. Throws ApiError when the server refuses (`lagged`: open the session again). */
  subscribe(session: SessionId, options?: SubscribeOptions): AsyncIterable<Envelope>;
  notifications(signal?: AbortSignal): AsyncIterable<Notification>;
  /** A separate WebSocket to a path of the server. It reconnects on its own; close it after use. */
  socket(path: string, handlers: SocketHandlers): Pick<ReconnectingSocket, 'send' | 'close'>;
  /** Returns the same object for the same id while it is in use, or among the last few that were asked for. */
  conversation(id: SessionId): Conversation;
  /** Sends the prompts that an earlier client left in the storage, even of conversations that nobody opens. */
  sendStored(): void;
  /** Drops a conversation, for example because its session was deleted. */
  forget(id: SessionId): void;
  /** Ends every subscription and closes the connection. */
  close(): void;
}

/** How many idle conversations stay in memory, so that going back to them is instant. */
const maxIdle = 5;

export function createClient(options: ClientOptions): ParleyClient {
  const http = createHttp(options);
  const sessions = createSessions(http);
  const environment = watchEnvironment(options.environment ?? {});
  const openSocket = socketMaker(http, options.WebSocket);
  const transport: Transport =
    options.transport === 'sse'
      ? new EventStreams(http, environment)
      : new LiveSocket(http, environment, openSocket, options.onUnauthorized);
  const { storage } = options;
  const conversations = new Map<SessionId, Conversation>();

  function conversation(id: SessionId): Conversation {
    const found =
      conversations.get(id) ?? new Conversation(id, { sessions, transport, environment, storage });
    conversations.delete(id);
    conversations.set(id, found);
    const idle = [...conversations.values()].filter((one) => one.isIdle && one !== found);
    for (const { id: oldest } of idle.slice(0, -maxIdle)) forget(oldest);
    return found;
  }

  function forget(id: SessionId): void {
    conversations.get(id)?.close();
    conversations.delete(id);
  }

  function forgetAll(): void {
    for (const id of conversations.keys()) forget(id);
  }

  return {
    address: http.address,
    personalAddress: http.personalAddress,
    request: http.request,
    get: http.get,
    send: http.send,
    sessions,
    files: (session) => sessionFiles(http, session),
    changes: (session) => sessionChanges(http, session),
    notes: () => noteFiles(http),
    connection: transport.connection,
    rights: transport.rights,
    subscribe: (session, { after, signal } = {}) =>
      iterate<Envelope>(
        (onItem, inner, last) =>
          transport.follow(session, { after: last?.seq ?? after, signal: inner, onEvent: onItem }),
        signal,
      ),
    notifications: (signal) =>
      iterate<Notification>(
        (onItem, inner) => transport.notifications({ signal: inner, onNotification: onItem }),
        signal,
      ),
    socket: (path, handlers) => {
      if (!openSocket) throw noWebSocket;
      const socket = new ReconnectingSocket(() => openSocket(path), environment, {
        ...handlers,
        onLost: (end) => {
          if (end.code !== loggedOutCode) return handlers.onLost(end);
          options.onUnauthorized?.();
          return false;
        },
      });
      socket.connect();
      return socket;
    },
    conversation,
    sendStored: () => {
      for (const id of storage?.sessions() ?? []) conversation(id);
    },
    forget,
    close: () => {
      forgetAll();
      transport.close();
      environment.close();
    },
  };
}
