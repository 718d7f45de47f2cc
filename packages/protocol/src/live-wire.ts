// The live connection of a page, `GET /api/live`: one WebSocket for all subscriptions, notifications and presence.
import { z } from 'zod';
import { ErrorCode } from './errors.ts';
import { Envelope } from './event.ts';
import { Seq, SessionId } from './ids.ts';
import { SessionNotification } from './notification-wire.ts';

/** Sessions that one live connection may follow at a time. */
export const maxSubscriptions = 100;

export const LiveClientMessage = z.discriminatedUnion('type', [
  /** Without `after`: only what is new. Subscribing again replaces the subscription. */
  z.object({ type: z.literal('subscribe'), session: SessionId, after: Seq.optional() }),
  z.object({ type: z.literal('unsubscribe'), session: SessionId }),
  /** Whether the person is looking at this page. */
  z.object({ type: z.literal('presence'), visible: z.boolean() }),
]);
export type LiveClientMessage = z.infer<typeof LiveClientMessage>;

export const LiveServerMessage = z.discriminatedUnion('type', [
  /** The events after this number follow. */
  z.object({ type: z.literal('subscribed'), session: SessionId, after: Seq }),
  z.object({ type: z.literal('event'), envelope: Envelope }),
  /** No more events follow. `lagged`: open the session again. `not_found`: it was deleted, or is not yours. */
  z.object({ type: z.literal('ended'), session: SessionId, code: ErrorCode, message: z.string() }),
  /** The same names and data as `GET /api/notifications`. */
  z.object({ type: z.literal('notification'), name: z.string(), data: SessionNotification }),
  /** What this person may do, whom they can see, or what is shared with them has changed: load it again. */
  z.object({ type: z.literal('rights.changed') }),
  /** How many pages show the session, and how many of those are visible. */
  z.object({
    type: z.literal('presence'),
    session: SessionId,
    pages: z.int().nonnegative(),
    visible: z.int().nonnegative(),
  }),
  /** The client's last message was invalid and changed nothing; with `session`, that session cannot work. */
  z.object({
    type: z.literal('error'),
    session: SessionId.optional(),
    code: ErrorCode,
    message: z.string(),
  }),
]);
export type LiveServerMessage = z.infer<typeof LiveServerMessage>;
