// The Telegram Bot API for tests: the loopback service, with faults and whatever else can happen to a bot.
import {
  type InjectedMessage,
  type MessageUpdateKind,
  type SentMessage,
  startTelegramService,
  type TelegramChat,
  TelegramRefusal,
  type TelegramService,
} from '@parley/demo/services';

export type TelegramStandInOptions = {
  readonly token?: string;
  readonly port?: number;
};

/** Happens to the next call of a method, instead of or after the call itself. */
export type TelegramFault =
  /** 429 with the seconds to wait. */
  | { readonly kind: 'flood'; readonly seconds: number }
  | { readonly kind: 'refuse'; readonly code: number; readonly description: string }
  /** The connection breaks before the call is carried out. */
  | { readonly kind: 'cut' }
  /** The call is carried out, and the connection breaks before the answer. */
  | { readonly kind: 'cut-after' }
  /** The call is not carried out, and its answer never comes. */
  | { readonly kind: 'hang' };

export type TelegramStandIn = TelegramService & {
  /** Every message that the bot sent, in order, as it is now. */
  readonly sent: readonly SentMessage[];
  /** How many updates have not been confirmed. */
  readonly pendingUpdates: number;
  /** How often each update was delivered. */
  readonly deliveries: ReadonlyMap<number, number>;
  /** Like `inject`, with another kind of update. */
  injectAs(
    kind: MessageUpdateKind,
    message: InjectedMessage,
  ): { readonly updateId: number; readonly messageId: number };
  /** The person blocks the bot. */
  block(chatId: number): void;
  /** A group becomes a supergroup: its id changes, and the bot is notified in both chats. */
  upgrade(group: TelegramChat, supergroup: TelegramChat): void;
  /** The next calls of the method fail this way, one fault per call. */
  failNext(method: string, ...faults: readonly TelegramFault[]): void;
  /**
   * Resolves once the condition holds, which is checked when a call arrives and again before it is answered.
   * Rejects when the signal aborts.
   */
  until(condition: () => boolean, signal?: AbortSignal): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

export async function startTelegramStandIn(options: TelegramStandInOptions = {}): Promise<TelegramStandIn> {
  const faults = new Map<string, TelegramFault[]>();
  const service = await startTelegramService({
    ...options,
    async intercept({ method }, proceed) {
      const fault = faults.get(method)?.shift();
      switch (fault?.kind) {
        case undefined:
          return proceed();
        case 'flood':
          throw new TelegramRefusal(429, `Too Many Requests: retry after ${fault.seconds}`, {
            retry_after: fault.seconds,
          });
        case 'refuse':
          throw new TelegramRefusal(fault.code, fault.description);
        case 'cut-after':
          await proceed();
          throw new Error('the connection breaks');
        case 'cut':
          throw new Error('the connection breaks');
        case 'hang':
          return new Promise(() => {});
        default:
          return fault satisfies never;
      }
    },
  });
  const { chats, updates, changes } = service;
  return {
    ...service,
    sent: chats.sent,
    deliveries: updates.deliveries,
    get pendingUpdates() {
      return updates.pending.length;
    },
    injectAs: (kind, message) => service.inject(message, kind),
    block: (chatId) => void chats.blocked.add(chatId),
    upgrade(group, supergroup) {
      chats.upgrade(group.id, supergroup);
      service.inject({ chat: group, fields: { migrate_to_chat_id: supergroup.id } });
      service.inject({ chat: supergroup, fields: { migrate_from_chat_id: group.id } });
    },
    failNext(method, ...wanted) {
      faults.set(method, [...(faults.get(method) ?? []), ...wanted]);
    },
    until: (condition, signal) => changes.until(condition, signal),
    [Symbol.asyncDispose]: () => service.close(),
  };
}
