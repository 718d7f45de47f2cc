// A stand-in of Discord, REST and gateway: what tests and the demo page put into channels, and see in them.
import { randomBytes } from 'node:crypto';
import { listenOnLoopback } from '../loopback-server.ts';
import { DiscordGateway, messageContent } from './gateway.ts';
import { type MessageLimit, MessageLimits } from './message-limits.ts';
import {
  answerRest,
  type DiscordCall,
  type DiscordFault,
  type DiscordFile,
  type DiscordRoute,
  type RestParts,
} from './rest-api.ts';
import { type RoomMessage, Rooms, wireUser } from './rooms.ts';
import type { DiscordAttachment, DiscordChannel, DiscordFields, DiscordUser, Payload } from './wire.ts';

export type DiscordStandInOptions = {
  readonly token?: string;
  readonly port?: number;
  /** As before somebody turned the message content intent on in the developer portal. */
  readonly deniesMessageContent?: boolean;
  /** How many messages a channel takes in a time. Without it, any number. */
  readonly messageLimit?: MessageLimit;
};

export type InjectedDiscordMessage = {
  readonly channel?: DiscordChannel;
  readonly author?: DiscordUser;
  readonly content?: string;
  readonly attachments?: readonly DiscordAttachment[];
  readonly fields?: DiscordFields;
};

export type DiscordStandIn = {
  /** For `DISCORD_API_ROOT`. */
  readonly url: string;
  /** `host:port` of the addresses of attachments. */
  readonly host: string;
  readonly token: string;
  readonly bot: DiscordUser;
  /** The server's text channel that everything happens in unless said otherwise. */
  readonly general: DiscordChannel;
  /** Every message that there was, in order, as it is now; a bounded number of them. */
  readonly messages: readonly RoomMessage[];
  /** The newest calls of all routes, in order; a bounded number of them. */
  readonly calls: readonly DiscordCall[];
  /** How many messages were refused as too many. */
  readonly limited: number;
  readonly gateway: Pick<
    DiscordGateway,
    'connected' | 'identifies' | 'resumes' | 'drop' | 'askToReconnect' | 'forgetSessions'
  >;
  openChannel(channel: DiscordChannel): DiscordChannel;
  inject(message: InjectedDiscordMessage): RoomMessage;
  /** A message is told of again: changed by its author when there is a time, else by the service. */
  announceEdit(message: RoomMessage, editedAt: string | null): void;
  /** Somebody presses a button. Returns the token under which the answer is found. */
  pressButton(press: {
    readonly from: DiscordUser;
    readonly message: RoomMessage;
    readonly customId: string;
  }): string;
  /** Somebody uses a slash command. */
  useCommand(use: {
    readonly from: DiscordUser;
    readonly name: string;
    readonly channel?: DiscordChannel;
    readonly options?: readonly { readonly name: string; readonly value: string }[];
  }): string;
  /** What the bot answered an interaction with, once it did. */
  callbackOf(token: string): Payload | undefined;
  addFile(bytes: Uint8Array, name: string, type?: string): DiscordAttachment;
  /** Throws the bot out of a channel. */
  forbid(channelId: string): void;
  /** Takes the permission from the bot to read what was said in a channel before. */
  hideHistory(channelId: string): void;
  /** The next calls of the route meet these faults, one each. */
  failNext(route: DiscordRoute, ...faults: readonly DiscordFault[]): void;
  /** What the bot says in a channel now, oldest first. */
  visible(channelId?: string): readonly RoomMessage[];
  /** Resolves when the condition holds; it is looked at when something happens. Rejects when the signal aborts. */
  until(condition: () => boolean, signal?: AbortSignal): Promise<void>;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

const mostCalls = 20_000;
const mostInteractions = 1_000;
const mostFiles = 100;

export async function startDiscordStandIn(options: DiscordStandInOptions = {}): Promise<DiscordStandIn> {
  const token =
    options.token ?? `NDcxMQ.${randomBytes(4).toString('hex')}.${randomBytes(20).toString('base64url')}`;
  const bot: DiscordUser = { id: '4711', username: 'Parley', bot: true };
  const rooms = new Rooms(bot);
  const general = rooms.open({ id: '9001', type: 0, name: 'general', guild_id: guildId });
  const files: DiscordFile[] = [];
  const faults = new Map<DiscordRoute, DiscordFault[]>();
  const calls: DiscordCall[] = [];
  const interactions = new Map<string, Payload | undefined>();
  const watchers = new Set<() => void>();
  const messageLimits = options.messageLimit && new MessageLimits(options.messageLimit);

  const onChange = () => {
    for (const look of watchers) look();
  };
  const parts: RestParts = {
    token,
    rooms,
    files,
    interactions,
    messageLimits,
    gatewayUrl: () => gateway.url,
    takeFault: (route) => faults.get(route)?.shift(),
    onCall(call) {
      calls.push(call);
      if (calls.length > mostCalls) calls.shift();
      onChange();
    },
    onSent: announce,
    onChange,
  };
  const server = await listenOnLoopback((request, response) => {
    answerRest(request, response, parts).catch(() => response.destroy());
  }, options.port);
  const gateway = new DiscordGateway(server.server, {
    token,
    bot,
    guild: guildOf(general, bot),
    deniedIntents: options.deniesMessageContent === true ? messageContent : 0,
    onChange,
  });
  gateway.url = `ws://127.0.0.1:${server.port}`;

  /** Without the message content intent a bot sees no words but those in its direct messages. */
  function announce(message: RoomMessage): void {
    const { guild_id: guild } = rooms.channel(message.channelId);
    const whole = { ...rooms.wire(message), ...(guild !== undefined && { guild_id: guild }) };
    const isSeen = (intents: number) =>
      guild === undefined || (intents & messageContent) !== 0 || message.author.id === bot.id;
    gateway.dispatch('MESSAGE_CREATE', (intents) => (isSeen(intents) ? whole : { ...whole, content: '' }));
  }

  function interact(type: number, from: DiscordUser, channel: DiscordChannel, rest: Payload): string {
    const interaction = randomBytes(16).toString('hex');
    interactions.set(interaction, undefined);
    const [oldest] = interactions.keys();
    if (interactions.size > mostInteractions && oldest !== undefined) interactions.delete(oldest);
    const { guild_id: guild } = channel;
    const user = wireUser(from);
    gateway.dispatch('INTERACTION_CREATE', () => ({
      id: rooms.snowflakes.next(),
      application_id: bot.id,
      type,
      token: interaction,
      version: 1,
      channel_id: channel.id,
      channel,
      locale: 'en-US',
      entitlements: [],
      authorizing_integration_owners: {},
      attachment_size_limit: 10_000_000,
      app_permissions: '0',
      ...(guild === undefined
        ? { user }
        : { guild_id: guild, guild_locale: 'en-US', member: { user, roles: [], permissions: '0' } }),
      ...rest,
    }));
    return interaction;
  }

  const close = async () => {
    gateway.close();
    await server.close();
  };

  return {
    url: `${server.url}/api`,
    host: `127.0.0.1:${server.port}`,
    token,
    bot,
    general,
    messages: rooms.messages,
    calls,
    get limited() {
      return messageLimits?.exceeded ?? 0;
    },
    gateway,
    openChannel: (channel) => rooms.open(channel),
    inject({ channel = general, author = somebody, content = '', attachments = [], fields = {} }) {
      const message = rooms.receive({
        channelId: rooms.open(channel).id,
        author,
        content,
        attachments,
        fields,
      });
      announce(message);
      return message;
    },
    announceEdit(message, editedAt) {
      const { guild_id: guild } = rooms.channel(message.channelId);
      const changed = { ...rooms.wire(message), edited_timestamp: editedAt };
      gateway.dispatch('MESSAGE_UPDATE', () =>
        guild === undefined ? changed : { ...changed, guild_id: guild },
      );
    },
    pressButton: ({ from, message, customId }) =>
      interact(3, from, rooms.channel(message.channelId), {
        message: rooms.wire(message),
        data: { component_type: 2, custom_id: customId },
      }),
    useCommand: ({ from, name, channel = general, options: given = [] }) =>
      interact(2, from, rooms.open(channel), {
        data: { id: '1', name, type: 1, options: given.map((option) => ({ type: 3, ...option })) },
      }),
    callbackOf: (interaction) => interactions.get(interaction),
    addFile(bytes, name, type) {
      const id = rooms.snowflakes.next();
      const path = `/attachments/${id}/${encodeURIComponent(name)}`;
      files.push({ path, type: type ?? 'application/octet-stream', bytes });
      if (files.length > mostFiles) files.shift();
      const url = `${server.url}${path}`;
      const known = { id, filename: name, size: bytes.length, url, proxy_url: url };
      return type === undefined ? known : { ...known, content_type: type };
    },
    forbid: (channelId) => void rooms.forbidden.add(channelId),
    hideHistory: (channelId) => void rooms.withoutHistory.add(channelId),
    failNext(route, ...wanted) {
      faults.set(route, [...(faults.get(route) ?? []), ...wanted]);
    },
    visible: (channelId = general.id) =>
      rooms.messages.filter(
        (message) => message.channelId === channelId && message.author.id === bot.id && !message.isDeleted,
      ),
    until: (condition, signal) => until(condition, watchers, signal),
    close,
    [Symbol.asyncDispose]: close,
  };
}

const guildId = '8000';
const somebody: DiscordUser = { id: '1001', username: 'Petra' };

function guildOf(general: DiscordChannel, bot: DiscordUser): Payload {
  return {
    id: guildId,
    name: 'Home',
    owner_id: somebody.id,
    joined_at: new Date(0).toISOString(),
    member_count: 2,
    unavailable: false,
    channels: [general],
    threads: [],
    members: [{ user: wireUser(bot), roles: [], joined_at: new Date(0).toISOString(), flags: 0 }],
    roles: [],
    emojis: [],
    stickers: [],
    presences: [],
    voice_states: [],
    stage_instances: [],
    guild_scheduled_events: [],
    soundboard_sounds: [],
    features: [],
    preferred_locale: 'en-US',
  };
}

function until(condition: () => boolean, watchers: Set<() => void>, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      watchers.delete(look);
      reject(signal?.reason instanceof Error ? signal.reason : new Error('waited in vain'));
    };
    const look = () => {
      if (!condition()) return;
      watchers.delete(look);
      signal?.removeEventListener('abort', onAbort);
      resolve();
    };
    watchers.add(look);
    signal?.addEventListener('abort', onAbort, { once: true });
    look();
  });
}
