// The live connection of a page, `GET /api/live`: the events of many sessions over one socket, the person's
// notifications, and how many pages show each session.
import {
  type Envelope,
  LiveClientMessage,
  type LiveServerMessage,
  maxSubscriptions,
  ParleyError,
  type PersonName,
  type Seq,
  type SessionId,
} from '@parley/protocol';
import type { WebSocket } from 'ws';
import { type Access, type Actor, personOf } from '../../domain/access.ts';
import { type ActivityFeed, toNotification } from '../../domain/activity.ts';
import { type CodeSessions, openSession } from '../../domain/code-sessions.ts';
import type { Gateway } from '../../domain/gateway.ts';
import type { Logger } from '../../domain/logger.ts';
import type { SocketHandler, SocketRequest } from '../socket-request.ts';
import { parseMessage } from './client-message.ts';
import { Inbox } from './inbox.ts';
import type { Presence } from './presence.ts';
import { SocketWriter, type WriterLimits } from './socket-writer.ts';

export interface LiveSocketOptions {
  readonly gateway: Gateway;
  readonly activity: ActivityFeed;
  readonly access: Pick<Access, 'standingOf' | 'onChange'>;
  /** Absent if Claude Code is switched off. */
  readonly codeSessions?: Pick<CodeSessions, 'open'>;
  readonly presence: Presence;
  readonly writer: WriterLimits;
  readonly logger: Logger;
}

export function liveSockets(options: LiveSocketOptions): SocketHandler {
  return async ({ actor, signal, memory }) =>
    (socket) =>
      new LivePage(socket, { actor, memory }, options).serve(signal);
}

class LivePage {
  isVisible = false;
  readonly person: PersonName;
  readonly #actor: Actor;
  readonly #options: LiveSocketOptions;
  readonly #writer: SocketWriter;
  readonly #inbox: Inbox;
  readonly #closed = new AbortController();
  readonly #subscriptions = new Map<SessionId, AbortController>();
  /** Subscribed sessions that the person owns: only owners see whom a session is shared with. */
  readonly #own = new Set<SessionId>();
  #standing = '';

  constructor(
    socket: WebSocket,
    { actor, memory }: Pick<SocketRequest, 'actor' | 'memory'>,
    options: LiveSocketOptions,
  ) {
    this.#actor = actor;
    this.person = personOf(actor);
    this.#options = options;
    this.#writer = new SocketWriter(socket, options.writer);
    this.#inbox = new Inbox(
      socket,
      memory,
      async (text) => this.#perform(parseMessage(text, LiveClientMessage)),
      (error) => this.#refuse(error),
    );
    socket.once('close', () => {
      this.#closed.abort();
      for (const id of this.#subscriptions.keys()) this.#unsubscribe(id);
    });
  }

  serve(signal: AbortSignal): void {
    this.#writer.closeOn(signal);
    this.#inbox.open();
    this.#watchRights();
    this.#notify().catch((error: unknown) =>
      this.#options.logger.error({ err: error }, 'failed to send notifications'),
    );
  }

  send(message: LiveServerMessage): Promise<void> | undefined {
    return this.#writer.send(JSON.stringify(message));
  }

  #perform(message: LiveClientMessage): void {
    switch (message.type) {
      case 'subscribe':
        return this.#subscribe(message.session, message.after);
      case 'unsubscribe':
        return this.#unsubscribe(message.session);
      case 'presence':
        if (message.visible === this.isVisible) return undefined;
        this.isVisible = message.visible;
        for (const id of this.#subscriptions.keys()) this.#options.presence.announce(id);
        return undefined;
      default:
        return message satisfies never;
    }
  }

  #subscribe(id: SessionId, after: Seq | undefined): void {
    this.#subscriptions.get(id)?.abort();
    if (!this.#subscriptions.has(id) && this.#subscriptions.size >= maxSubscriptions) {
      void this.send({ type: 'ended', session: id, ...tooMany });
      return;
    }
    const controller = new AbortController();
    this.#subscriptions.set(id, controller);
    void this.#follow(id, after, controller);
  }

  #unsubscribe(id: SessionId): void {
    const controller = this.#subscriptions.get(id);
    if (!controller) return;
    this.#subscriptions.delete(id);
    if (this.#own.delete(id)) this.#standing = this.#standingNow();
    controller.abort();
    this.#options.presence.leave(id, this);
  }

  /** Never rejects: the page is sent the reason why a subscription ended. */
  async #follow(id: SessionId, wanted: Seq | undefined, controller: AbortController): Promise<void> {
    const { gateway } = this.#options;
    const { signal } = controller;
    let end = sessionClosed;
    try {
      const after = await this.#open(id, wanted, signal);
      if (after === undefined) return;
      for await (const envelope of gateway.subscribe(this.#actor, id, { after, signal })) {
        if (signal.aborted) return;
        const waiting = this.#writer.send(encoded(envelope));
        if (waiting) await waiting;
      }
    } catch (error) {
      end = ParleyError.from(error);
      if (end.code === 'internal') this.#options.logger.error({ err: error }, 'a subscription failed');
    }
    if (signal.aborted) return;
    this.#unsubscribe(id);
    await this.send({ type: 'ended', session: id, code: end.code, message: end.message });
  }

  /** The number that the events follow; undefined if the page has unsubscribed in the meantime. */
  async #open(id: SessionId, wanted: Seq | undefined, signal: AbortSignal): Promise<Seq | undefined> {
    const { gateway, codeSessions } = this.#options;
    const session = await openSession(gateway, codeSessions, this.#actor, id);
    const after = wanted ?? (await gateway.state(this.#actor, id)).lastSeq;
    if (!signal.aborted) await this.send({ type: 'subscribed', session: id, after });
    if (signal.aborted) return undefined;
    this.#options.presence.join(id, this);
    if (session.person === personOf(this.#actor)) {
      this.#own.add(id);
      this.#standing = this.#standingNow();
    }
    if (session.engine === 'claude-code' && session.settings.mode !== 'cli') {
      gateway.wake(this.#actor, id).catch((error: unknown) => this.#refuse(error, id));
    }
    return after;
  }

  #watchRights(): void {
    this.#standing = this.#standingNow();
    const stop = this.#options.access.onChange(() => {
      const now = this.#standingNow();
      if (now === this.#standing) return;
      this.#standing = now;
      void this.send({ type: 'rights.changed' });
    });
    this.#closed.signal.addEventListener('abort', stop, { once: true });
  }

  #standingNow(): string {
    return this.#options.access.standingOf(personOf(this.#actor), this.#own);
  }

  async #notify(): Promise<void> {
    const { activity } = this.#options;
    for await (const one of activity.subscribe(this.#actor, { signal: this.#closed.signal })) {
      await this.send({ type: 'notification', ...toNotification(one.activity) });
    }
  }

  #refuse(thrown: unknown, session?: SessionId): Promise<void> | undefined {
    const { code, message } = ParleyError.from(thrown);
    if (code === 'internal')
      this.#options.logger.error({ err: thrown }, 'failed to handle a message from a page');
    return this.send({ type: 'error', ...(session !== undefined && { session }), code, message });
  }
}

const encodings = new WeakMap<Envelope, Buffer>();

/** Encodes an envelope once, no matter how many sockets read it. */
function encoded(envelope: Envelope): Buffer {
  const known = encodings.get(envelope);
  if (known) return known;
  const bytes = Buffer.from(`{"type":"event","envelope":${JSON.stringify(envelope)}}`);
  encodings.set(envelope, bytes);
  return bytes;
}

const sessionClosed = new ParleyError('not_found', 'The session was closed.');
const tooMany = {
  code: 'busy',
  message: `One connection can follow at most ${maxSubscriptions} sessions. Unsubscribe from some first.`,
} as const;
