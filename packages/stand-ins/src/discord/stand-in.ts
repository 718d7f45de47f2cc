// Discord for tests: the loopback service, with faults, rate limits and whatever else can happen to a bot.
import type { ServerResponse } from 'node:http';
import {
  type DiscordCall,
  type DiscordChannel,
  type DiscordMessage,
  DiscordRefusal,
  type DiscordRoute,
  type DiscordService,
  sendJson,
  startDiscordService,
} from '@parley/demo/services';
import { type MessageLimit, MessageLimits } from './message-limits.ts';

export type DiscordStandInOptions = {
  readonly token?: string;
  readonly port?: number;
  /** The gateway's address as clients see it, if it differs. */
  readonly gatewayUrl?: string;
  /** As if the message content intent were off in the developer portal. */
  readonly deniesMessageContent?: boolean;
  /** How many messages a channel accepts per time window. Unlimited by default. */
  readonly messageLimit?: MessageLimit;
};

/** Happens to the next call of a route, instead of or after the call itself. */
export type DiscordFault =
  /** 429 with the seconds to wait. */
  | { readonly kind: 'rate-limit'; readonly seconds: number; readonly global?: boolean }
  | { readonly kind: 'refuse'; readonly status: number; readonly code: number; readonly message: string }
  /** The connection breaks before the call is carried out. */
  | { readonly kind: 'cut' }
  /** The call is carried out, and the connection breaks before the answer. */
  | { readonly kind: 'cut-after' };

export type DiscordStandIn = DiscordService & {
  /** How many messages were refused by the message limit. */
  readonly limited: number;
  openChannel(channel: DiscordChannel): DiscordChannel;
  /** Sends the message to the bot again: as edited by its author if there is a time, else as updated by Discord. */
  announceEdit(message: DiscordMessage, editedAt: string | null): void;
  /** Removes the bot from a channel. */
  forbid(channelId: string): void;
  /** Takes away the bot's permission to read a channel's history. */
  hideHistory(channelId: string): void;
  /** The next calls of the route fail this way, one fault per call. */
  failNext(route: DiscordRoute, ...faults: readonly DiscordFault[]): void;
  /** Resolves once the condition holds, which is checked after each change. Rejects when the signal aborts. */
  until(condition: () => boolean, signal?: AbortSignal): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

export async function startDiscordStandIn(options: DiscordStandInOptions = {}): Promise<DiscordStandIn> {
  const faults = new Map<DiscordRoute, DiscordFault[]>();
  const limits = options.messageLimit && new MessageLimits(options.messageLimit);
  const service = await startDiscordService({
    ...options,
    intercept(call, response, proceed) {
      const fault = faults.get(call.route)?.shift();
      switch (fault?.kind) {
        case undefined:
          break;
        case 'rate-limit':
          return limitRate(response, fault);
        case 'refuse':
          throw new DiscordRefusal(fault.status, fault.code, fault.message);
        case 'cut-after':
          proceed();
          throw new Error('the connection breaks');
        case 'cut':
          throw new Error('the connection breaks');
        default:
          return fault satisfies never;
      }
      const seconds = limits?.take(sentTo(call), response) ?? 0;
      return seconds > 0 ? limitRate(response, { seconds }) : proceed();
    },
  });
  const { channels, gateway, changes } = service;
  return {
    ...service,
    get limited() {
      return limits?.exceeded ?? 0;
    },
    openChannel: (channel) => channels.open(channel),
    announceEdit(message, editedAt) {
      const { guild_id: guild } = channels.channel(message.channelId);
      const changed = { ...channels.wire(message), edited_timestamp: editedAt };
      gateway.dispatch('MESSAGE_UPDATE', () =>
        guild === undefined ? changed : { ...changed, guild_id: guild },
      );
    },
    forbid: (channelId) => void channels.forbidden.add(channelId),
    hideHistory: (channelId) => void channels.withoutHistory.add(channelId),
    failNext(route, ...wanted) {
      faults.set(route, [...(faults.get(route) ?? []), ...wanted]);
    },
    until: (condition, signal) => changes.until(condition, signal),
    [Symbol.asyncDispose]: () => service.close(),
  };
}

/** The channel to which a call sends a message, if it sends one. */
function sentTo({ route, path }: DiscordCall): string | undefined {
  return route === 'POST /channels/:id/messages' ? path.split('/')[2] : undefined;
}

function limitRate(
  response: ServerResponse,
  { seconds, global = false }: { readonly seconds: number; readonly global?: boolean },
): void {
  response.setHeader('retry-after', String(seconds));
  response.setHeader('x-ratelimit-scope', global ? 'global' : 'user');
  if (global) response.setHeader('x-ratelimit-global', 'true');
  sendJson(response, 429, { message: 'You are being rate limited.', retry_after: seconds, global });
}
