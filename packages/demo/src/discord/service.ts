// Discord as a loopback service, REST and gateway: put messages into channels, and see what the bot sends.
import { randomBytes } from 'node:crypto';
import { ChangeSignal } from '../change-signal.ts';
import { dropOldest } from '../drop-oldest.ts';
import { listenOnLoopback } from '../loopback-server.ts';
import { DiscordChannels, type DiscordMessage, wireUser } from './channels.ts';
import { DiscordGateway, messageContent } from './gateway.ts';
import {
  answerRest,
  type DiscordCall,
  type DiscordFile,
  type Interaction,
  type RestParts,
} from './rest-api.ts';
import type { DiscordAttachment, DiscordChannel, DiscordFields, DiscordUser, Payload } from './wire.ts';

export type DiscordServiceOptions = {
  readonly token?: string;
  readonly port?: number;
  /** The gateway's address as clients see it, if it differs. */
  readonly gatewayUrl?: string;
  /** As if the message content intent were off in the developer portal. */
  readonly deniesMessageContent?: boolean;
  readonly intercept?: RestParts['intercept'];
};

export type InjectedDiscordMessage = {
  readonly channel?: DiscordChannel;
  readonly author?: DiscordUser;
  readonly content?: string;
  readonly attachments?: readonly DiscordAttachment[];
  readonly fields?: DiscordFields;
};

export type DiscordService = {
  /** For `DISCORD_API_ROOT`. */
  readonly url: string;
  /** `host:port` of the URLs of attachments. */
  readonly host: string;
  readonly token: string;
  readonly bot: DiscordUser;
  /** The server's default text channel. */
  readonly general: DiscordChannel;
  readonly channels: DiscordChannels;
  /** Every message, in order, as it is now; bounded. */
  readonly messages: readonly DiscordMessage[];
  /** The newest calls of all routes, in order; bounded. */
  readonly calls: readonly DiscordCall[];
  readonly gateway: DiscordGateway;
  inject(message: InjectedDiscordMessage): DiscordMessage;
  /** A person presses a button. Returns the token for `callbackOf`. */
  pressButton(press: {
    readonly from: DiscordUser;
    readonly message: DiscordMessage;
    readonly customId: string;
  }): string;
  /** A person uses a slash command. Returns the token for `callbackOf`. */
  useCommand(use: {
    readonly from: DiscordUser;
    readonly name: string;
    readonly channel?: DiscordChannel;
    readonly options?: readonly { readonly name: string; readonly value: string }[];
  }): string;
  /** The bot's first answer to an interaction, once there is one. */
  callbackOf(token: string): Payload | undefined;
  /** What the bot showed only to the person of an interaction. */
  ephemeralRepliesTo(token: string): readonly Payload[];
  addFile(bytes: Uint8Array, name: string, type?: string): DiscordAttachment;
  /** What the bot says in a channel now, oldest first. */
  visible(channelId?: string): readonly DiscordMessage[];
  /** Emits when a call arrives, before it is answered, and when the gateway connection changes. */
  readonly changes: ChangeSignal;
  close(): Promise<void>;
};

const maxCalls = 20_000;
const maxInteractions = 1_000;
const maxFiles = 100;

export async function startDiscordService(options: DiscordServiceOptions = {}): Promise<DiscordService> {
  const token =
    options.token ?? `NDcxMQ.${randomBytes(4).toString('hex')}.${randomBytes(20).toString('base64url')}`;
  const bot: DiscordUser = { id: '4711', username: 'Parley', bot: true };
  const channels = new DiscordChannels(bot);
  const general = channels.open({ id: '9001', type: 0, name: 'general', guild_id: guildId });
  const files: DiscordFile[] = [];
  const calls: DiscordCall[] = [];
  const interactions = new Map<string, Interaction>();
  const changes = new ChangeSignal();
  const onChange = () => changes.emit();

  const parts: RestParts = {
    token,
    channels,
    files,
    interactions,
    gatewayUrl: () => gateway.url,
    intercept: options.intercept ?? ((_, _response, proceed) => proceed()),
    onCall(call) {
      calls.push(call);
      if (calls.length > maxCalls) calls.shift();
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
  gateway.url = options.gatewayUrl ?? `ws://127.0.0.1:${server.port}`;

  /** Without the message content intent, a bot sees text in its direct messages only. */
  function announce(message: DiscordMessage): void {
    const { guild_id: guild } = channels.channel(message.channelId);
    const whole = { ...channels.wire(message), ...(guild !== undefined && { guild_id: guild }) };
    const isSeen = (intents: number) =>
      guild === undefined || (intents & messageContent) !== 0 || message.author.id === bot.id;
    gateway.dispatch('MESSAGE_CREATE', (intents) => (isSeen(intents) ? whole : { ...whole, content: '' }));
  }

  function interact(type: number, from: DiscordUser, channel: DiscordChannel, rest: Payload): string {
    const interaction = randomBytes(16).toString('hex');
    interactions.set(interaction, { ephemeral: [] });
    dropOldest(interactions, maxInteractions);
    const { guild_id: guild } = channel;
    const user = wireUser(from);
    gateway.dispatch('INTERACTION_CREATE', () => ({
      id: channels.snowflakes.next(),
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

  return {
    url: `${server.url}/api`,
    host: `127.0.0.1:${server.port}`,
    token,
    bot,
    general,
    channels,
    messages: channels.messages,
    calls,
    gateway,
    inject({ channel = general, author = somebody, content = '', attachments = [], fields = {} }) {
      const message = channels.receive({
        channelId: channels.open(channel).id,
        author,
        content,
        attachments,
        fields,
      });
      announce(message);
      return message;
    },
    pressButton: ({ from, message, customId }) =>
      interact(3, from, channels.channel(message.channelId), {
        message: channels.wire(message),
        data: { component_type: 2, custom_id: customId },
      }),
    useCommand: ({ from, name, channel = general, options: given = [] }) =>
      interact(2, from, channels.open(channel), {
        data: { id: '1', name, type: 1, options: given.map((option) => ({ type: 3, ...option })) },
      }),
    callbackOf: (interaction) => interactions.get(interaction)?.callback,
    ephemeralRepliesTo: (interaction) => interactions.get(interaction)?.ephemeral ?? [],
    addFile(bytes, name, type) {
      const id = channels.snowflakes.next();
      const path = `/attachments/${id}/${encodeURIComponent(name)}`;
      files.push({ path, type: type ?? 'application/octet-stream', bytes });
      if (files.length > maxFiles) files.shift();
      const url = `${server.url}${path}`;
      const known = { id, filename: name, size: bytes.length, url, proxy_url: url };
      return type === undefined ? known : { ...known, content_type: type };
    },
    visible: (channelId = general.id) =>
      channels.messages.filter(
        (message) => message.channelId === channelId && message.author.id === bot.id && !message.isDeleted,
      ),
    changes,
    async close() {
      gateway.close();
      await server.close();
    },
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
