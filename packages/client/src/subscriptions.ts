// The subscriptions of one live connection. Several followers of a session share one subscription; each gets every
// event after its own number exactly once, even if the connection breaks or a newcomer asks for older events.
import type { LiveClientMessage, LiveServerMessage, Seq, SessionId } from '@parley/protocol';
import { Backoff } from './backoff.ts';
import { ApiError } from './http.ts';
import { type FollowOptions, isTemporary, type Presence } from './transport.ts';

interface NewFollower extends Omit<FollowOptions, 'signal'> {
  readonly fail: (error: ApiError) => void;
}

interface Follower extends Omit<NewFollower, 'after'> {
  /** The last event that it got. */
  after: Seq | undefined;
  /** The server sends all events after its number. Before that, it gets none, because there would be a gap. */
  isServed: boolean;
}

/** A session that somebody follows. */
interface Topic {
  readonly followers: Set<Follower>;
  /** The number of the server's last event on this connection. */
  position: Seq | undefined;
  /**
   * The request that the server has not confirmed yet. There is one at a time: with two, nobody could tell where the
   * events continue after the first confirmation.
   */
  asked: { readonly after: Seq | undefined } | undefined;
  presence: Presence | undefined;
  readonly backoff: Backoff;
  retry: ReturnType<typeof setTimeout> | undefined;
}

type SubscriptionMessage = Extract<
  LiveServerMessage,
  { type: 'subscribed' | 'event' | 'ended' | 'presence' | 'error' }
>;

/** As the server's HTTP door would answer. */
const statuses: Readonly<Record<string, number>> = {
  forbidden: 403,
  not_found: 404,
  lagged: 410,
  busy: 429,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
};

export class Subscriptions {
  readonly #topics = new Map<SessionId, Topic>();
  readonly #send: (message: LiveClientMessage) => void;
  #isConnected = false;

  constructor(send: (message: LiveClientMessage) => void) {
    this.#send = send;
  }

  get size(): number {
    return this.#topics.size;
  }

  /** Returns a function that leaves again. */
  join(session: SessionId, newcomer: NewFollower): () => void {
    const follower: Follower = { ...newcomer, isServed: false };
    const topic = this.#topics.get(session) ?? newTopic();
    this.#topics.set(session, topic);
    topic.followers.add(follower);
    if (topic.presence) follower.onPresence?.(topic.presence);
    if (this.#isConnected) this.#serve(session, topic, follower);
    return () => this.#leave(session, topic, follower);
  }

  connected(): void {
    this.#isConnected = true;
    for (const [session, topic] of this.#topics) {
      this.#restart(session, topic);
    }
  }

  disconnected(): void {
    this.#isConnected = false;
    for (const { retry } of this.#topics.values()) clearTimeout(retry);
  }

  receive(message: SubscriptionMessage): void {
    const session = message.type === 'event' ? message.envelope.sessionId : message.session;
    const topic = this.#topics.get(session ?? '');
    if (!topic || session === undefined) return;
    switch (message.type) {
      case 'subscribed':
        this.#confirmed(session, topic, message.after);
        return;
      case 'event': {
        const { envelope } = message;
        topic.position = envelope.seq;
        for (const follower of topic.followers) {
          if (!follower.isServed || envelope.seq <= (follower.after ?? -1)) continue;
          follower.after = envelope.seq;
          follower.onEvent(envelope);
        }
        return;
      }
      case 'ended':
        this.#ended(session, topic, toApiError(message));
        return;
      case 'presence':
        topic.presence = { pages: message.pages, visible: message.visible };
        for (const { onPresence } of topic.followers) onPresence?.(topic.presence);
        return;
      case 'error':
        for (const { onProblem } of topic.followers) onProblem?.(toApiError(message));
        return;
      default:
        message satisfies never;
    }
  }

  failAll(error: ApiError): void {
    for (const { followers } of this.#topics.values()) for (const { fail } of followers) fail(error);
  }

  /** The running subscription serves it too, unless it wants older events. */
  #serve(session: SessionId, topic: Topic, follower: Follower): void {
    const { position } = topic;
    if (topic.asked) return;
    if (position === undefined || (follower.after ?? position) < position) {
      this.#request(session, topic);
      return;
    }
    follower.after ??= position;
    follower.isServed = true;
  }

  #leave(session: SessionId, topic: Topic, follower: Follower): void {
    topic.followers.delete(follower);
    if (topic.followers.size > 0 || this.#topics.get(session) !== topic) return;
    clearTimeout(topic.retry);
    this.#topics.delete(session);
    this.#send({ type: 'unsubscribe', session });
  }

  #request(session: SessionId, topic: Topic): void {
    clearTimeout(topic.retry);
    const known = [...topic.followers].flatMap(({ after }) => after ?? []);
    const after = known.length > 0 ? Math.min(...known) : undefined;
    topic.asked = { after };
    this.#send({ type: 'subscribe', session, ...(after !== undefined && { after }) });
  }

  #confirmed(session: SessionId, topic: Topic, from: Seq): void {
    // This answers an earlier subscription that was left.
    if (topic.asked?.after !== undefined && topic.asked.after !== from) return;
    topic.asked = undefined;
    topic.position = from;
    topic.backoff.reset();
    for (const follower of topic.followers) {
      follower.after ??= from;
      follower.isServed ||= from <= follower.after;
    }
    // Somebody has joined in the meantime and wants older events.
    if ([...topic.followers].some(({ isServed }) => !isServed)) this.#request(session, topic);
  }

  #restart(session: SessionId, topic: Topic): void {
    topic.position = undefined;
    this.#request(session, topic);
  }

  #ended(session: SessionId, topic: Topic, error: ApiError): void {
    if (!isTemporary(error)) {
      for (const { fail } of topic.followers) fail(error);
      return;
    }
    clearTimeout(topic.retry);
    topic.retry = setTimeout(() => this.#restart(session, topic), topic.backoff.next());
  }
}

function toApiError({ code, message }: { readonly code: string; readonly message: string }): ApiError {
  return new ApiError(statuses[code] ?? 409, code, message);
}

function newTopic(): Topic {
  return {
    followers: new Set(),
    position: undefined,
    asked: undefined,
    presence: undefined,
    backoff: new Backoff(),
    retry: undefined,
  };
}
