// Discord's gateway: hello, identify, heartbeats, numbered dispatches, and resuming after a broken connection.
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import { wireUser } from './channels.ts';
import type { DiscordUser, Payload } from './wire.ts';

export type GatewayParts = {
  readonly token: string;
  readonly bot: DiscordUser;
  readonly guild: Payload;
  /** Intents that the bot was not granted: requesting them closes the connection with 4014. */
  readonly deniedIntents: number;
  onChange(): void;
};

/** Records events even while the connection is broken. */
type GatewaySession = {
  readonly id: string;
  readonly intents: number;
  readonly events: { readonly s: number; readonly t: string; readonly d: unknown }[];
  seq: number;
  socket: WebSocket | undefined;
};

export const messageContent = 1 << 15;
const heartbeatMs = 41_250;
/** How many events a session can replay. */
const maxEvents = 5_000;

export class DiscordGateway {
  readonly #parts: GatewayParts;
  readonly #sockets: WebSocketServer;
  readonly #sessions = new Map<string, GatewaySession>();
  /** How often a session was started, and how often one was resumed. */
  identifies = 0;
  resumes = 0;

  constructor(server: Server, parts: GatewayParts) {
    this.#parts = parts;
    // A bot sends no origin. A web page always does, and must not control the bot.
    const verifyClient = ({ req }: { req: IncomingMessage }) => req.headers.origin === undefined;
    this.#sockets = new WebSocketServer({ noServer: true, verifyClient });
    server.on('upgrade', (request, socket, head) => {
      this.#sockets.handleUpgrade(request, socket, head, (connection) => this.#greet(connection));
    });
  }

  get connected(): number {
    return [...this.#sessions.values()].filter(({ socket }) => socket !== undefined).length;
  }

  dispatch(type: string, toData: (intents: number) => unknown): void {
    for (const session of this.#sessions.values()) this.#send(session, type, toData(session.intents));
  }

  /** Breaks all connections without a close frame; sessions can be resumed. */
  drop(): void {
    for (const { socket } of this.#sessions.values()) socket?.terminate();
  }

  /** Closes all connections with a code, such as 4004 for a token that is no longer valid. */
  disconnect(code: number): void {
    for (const { socket } of this.#sessions.values()) socket?.close(code);
  }

  /** Asks every client to reconnect and resume. */
  askToReconnect(): void {
    for (const { socket } of this.#sessions.values()) send(socket, { op: 7, d: null });
  }

  /** Breaks all connections; no session can be resumed. */
  forgetSessions(): void {
    const sessions = [...this.#sessions.values()];
    this.#sessions.clear();
    for (const { socket } of sessions) socket?.terminate();
  }

  close(): void {
    for (const client of this.#sockets.clients) client.terminate();
    this.#sockets.close();
  }

  #greet(socket: WebSocket): void {
    let session: GatewaySession | undefined;
    socket.on('error', () => socket.terminate());
    socket.on('close', () => {
      if (session?.socket === socket) session.socket = undefined;
      this.#parts.onChange();
    });
    socket.on('message', (data: Buffer) => {
      const { op, d } = decode(data) ?? {};
      switch (op) {
        case undefined:
          return socket.close(4002, 'Error while decoding payload.');
        case 1:
          return send(socket, { op: 11 });
        case 2:
          session = this.#identify(socket, d ?? {});
          return;
        case 6:
          session = this.#resume(socket, d ?? {});
          return;
        default:
      }
    });
    send(socket, { op: 10, d: { heartbeat_interval: heartbeatMs } });
  }

  #identify(socket: WebSocket, { token, intents }: Payload): GatewaySession | undefined {
    const { bot, guild, deniedIntents } = this.#parts;
    if (token !== this.#parts.token) {
      socket.close(4004, 'Authentication failed.');
      return undefined;
    }
    if ((Number(intents) & deniedIntents) !== 0) {
      socket.close(4014, 'Disallowed intent(s).');
      return undefined;
    }
    this.identifies += 1;
    // Only one process runs the bot, so a new session replaces the old one.
    this.#sessions.clear();
    const id = randomBytes(16).toString('hex');
    const session: GatewaySession = { id, intents: Number(intents), events: [], seq: 0, socket };
    this.#sessions.set(id, session);
    this.#send(session, 'READY', {
      v: 10,
      user: wireUser(bot),
      guilds: [{ id: guild['id'], unavailable: true }],
      session_id: id,
      resume_gateway_url: this.url,
      shard: [0, 1],
      application: { id: bot.id, flags: 0 },
    });
    this.#send(session, 'GUILD_CREATE', guild);
    this.#parts.onChange();
    return session;
  }

  #resume(socket: WebSocket, { token, session_id: id, seq }: Payload): GatewaySession | undefined {
    const session = this.#sessions.get(String(id));
    if (token !== this.#parts.token || !session) {
      send(socket, { op: 9, d: false });
      return undefined;
    }
    this.resumes += 1;
    session.socket?.terminate();
    session.socket = socket;
    for (const event of session.events) if (event.s > Number(seq)) send(socket, { op: 0, ...event });
    this.#send(session, 'RESUMED', {});
    this.#parts.onChange();
    return session;
  }

  /** Set once the port is known. */
  url = '';

  #send(session: GatewaySession, t: string, d: unknown): void {
    session.seq += 1;
    const event = { s: session.seq, t, d };
    session.events.push(event);
    if (session.events.length > maxEvents) session.events.shift();
    send(session.socket, { op: 0, ...event });
  }
}

function decode(data: Buffer): { readonly op?: number; readonly d?: Payload | null } | undefined {
  try {
    return JSON.parse(data.toString());
  } catch {
    return undefined;
  }
}

function send(socket: WebSocket | undefined, message: Payload): void {
  if (socket?.readyState === socket?.OPEN) socket?.send(JSON.stringify(message));
}
