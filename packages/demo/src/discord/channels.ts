// The channels that the bot is in, and every message in them.
import { dropOldest } from '../drop-oldest.ts';
import { isLater, Snowflakes } from './snowflakes.ts';
import {
  type ActionRow,
  type DiscordAttachment,
  type DiscordChannel,
  type DiscordFields,
  DiscordRefusal,
  type DiscordUser,
  invalidForm,
  type Payload,
  unknownChannel,
  unknownMessage,
} from './wire.ts';

/** A message, kept up to date when it is edited or deleted. */
export type DiscordMessage = {
  readonly id: string;
  readonly channelId: string;
  readonly author: DiscordUser;
  readonly replyTo: string | undefined;
  readonly isSilent: boolean;
  readonly attachments: readonly DiscordAttachment[];
  readonly fields: DiscordFields;
  readonly at: number;
  content: string;
  components: readonly ActionRow[];
  /** How often it was edited. */
  edits: number;
  isDeleted: boolean;
};

const longestContent = 2_000;
/** Over all channels; older messages are forgotten. */
const maxMessages = 20_000;
const maxNonces = 1_000;
const suppressNotifications = 1 << 12;

export class DiscordChannels {
  readonly snowflakes = new Snowflakes();
  readonly bot: DiscordUser;
  readonly #byId = new Map<string, DiscordChannel>();
  /** The channels that the bot was removed from. */
  readonly forbidden = new Set<string>();
  /** The channels whose history the bot may not read: it can't list messages there or reply to them. */
  readonly withoutHistory = new Set<string>();
  readonly messages: DiscordMessage[] = [];
  readonly #nonces = new Map<string, DiscordMessage>();

  constructor(bot: DiscordUser) {
    this.bot = bot;
  }

  open(channel: DiscordChannel): DiscordChannel {
    const known = this.#byId.get(channel.id) ?? channel;
    this.#byId.set(channel.id, known);
    return known;
  }

  channel(id: string): DiscordChannel {
    const channel = this.#byId.get(id);
    if (!channel) throw unknownChannel;
    if (this.forbidden.has(id)) throw new DiscordRefusal(403, 50_001, 'Missing Access');
    return channel;
  }

  /** A message from a person. */
  receive(message: Pick<DiscordMessage, 'channelId' | 'author' | 'content' | 'attachments' | 'fields'>) {
    return this.#add({ ...message, replyTo: undefined, isSilent: false, components: [] });
  }

  /** A message of the bot. A used nonce returns the message that used it. */
  send(channelId: string, payload: Payload): { readonly message: DiscordMessage; readonly isNew: boolean } {
    const { id } = this.channel(channelId);
    const nonce = payload['enforce_nonce'] === true ? `${id}:${String(payload['nonce'])}` : undefined;
    const known = nonce === undefined ? undefined : this.#nonces.get(nonce);
    if (known) return { message: known, isNew: false };
    const message = this.#add({
      channelId: id,
      author: this.bot,
      content: contentOf(payload),
      components: componentsOf(payload),
      replyTo: this.#replyOf(id, payload),
      isSilent: (Number(payload['flags'] ?? 0) & suppressNotifications) !== 0,
      attachments: [],
      fields: {},
    });
    if (nonce !== undefined) this.#nonces.set(nonce, message);
    dropOldest(this.#nonces, maxNonces);
    return { message, isNew: true };
  }

  edit(channelId: string, messageId: string, payload: Payload): DiscordMessage {
    const message = this.find(this.channel(channelId).id, messageId);
    if (message.author.id !== this.bot.id)
      throw new DiscordRefusal(403, 50_005, 'Cannot edit a message authored by another user');
    if (payload['content'] !== undefined) message.content = contentOf(payload);
    if (payload['components'] !== undefined) message.components = componentsOf(payload);
    message.edits += 1;
    return message;
  }

  remove(channelId: string, messageId: string): void {
    this.find(this.channel(channelId).id, messageId).isDeleted = true;
  }

  find(channelId: string, messageId: string): DiscordMessage {
    const message = this.messages.find(({ id }) => id === messageId);
    if (!message || message.isDeleted || message.channelId !== channelId) throw unknownMessage;
    return message;
  }

  /** Newest first, as the service lists them. With `after`, the messages right after it. */
  list(
    channelId: string,
    { after, limit }: { after: string | undefined; limit: number },
  ): readonly DiscordMessage[] {
    const { id } = this.channel(channelId);
    if (this.withoutHistory.has(id)) return [];
    const all = this.messages.filter((message) => message.channelId === id && !message.isDeleted);
    const page =
      after === undefined
        ? all.slice(-limit)
        : all.filter((message) => isLater(message.id, after)).slice(0, limit);
    return page.reverse();
  }

  /** As the REST API returns it. The gateway adds the server id. */
  wire(message: DiscordMessage): Payload {
    return {
      id: message.id,
      type: message.replyTo === undefined ? 0 : 19,
      channel_id: message.channelId,
      author: wireUser(message.author),
      content: message.content,
      timestamp: new Date(message.at).toISOString(),
      edited_timestamp: null,
      tts: false,
      mention_everyone: false,
      mentions: [],
      mention_roles: [],
      attachments: message.attachments,
      embeds: [],
      pinned: false,
      flags: 0,
      components: message.components,
      ...(message.replyTo !== undefined && {
        message_reference: { message_id: message.replyTo, channel_id: message.channelId },
      }),
      ...message.fields,
    };
  }

  #add(message: Omit<DiscordMessage, 'id' | 'edits' | 'isDeleted' | 'at'>): DiscordMessage {
    const added = { ...message, id: this.snowflakes.next(), edits: 0, isDeleted: false, at: Date.now() };
    this.messages.push(added);
    if (this.messages.length > maxMessages) this.messages.shift();
    return added;
  }

  #replyOf(channelId: string, payload: Payload): string | undefined {
    const reference = payload['message_reference'] as
      | { message_id: string; fail_if_not_exists?: boolean }
      | undefined;
    if (!reference) return undefined;
    if (this.withoutHistory.has(channelId))
      throw new DiscordRefusal(403, 160_002, 'Cannot reply without permission to read message history');
    const exists = this.messages.some(
      ({ id, channelId: at, isDeleted }) => id === reference.message_id && at === channelId && !isDeleted,
    );
    if (exists) return reference.message_id;
    if (reference.fail_if_not_exists === false) return undefined;
    throw invalidForm('message_reference', 'REPLIES_UNKNOWN_MESSAGE', 'Unknown message');
  }
}

export function wireUser({ id, username, bot = false }: DiscordUser): Payload {
  return { id, username, discriminator: '0', global_name: username, avatar: null, bot, public_flags: 0 };
}

function contentOf(payload: Payload): string {
  const given = payload['content'];
  const content = typeof given === 'string' ? given.trim() : '';
  if (content === '') throw new DiscordRefusal(400, 50_006, 'Cannot send an empty message');
  if (content.length > longestContent) {
    throw invalidForm('content', 'BASE_TYPE_MAX_LENGTH', 'Must be 2000 or fewer in length.');
  }
  return content;
}

function componentsOf(payload: Payload): readonly ActionRow[] {
  const rows = (payload['components'] ?? []) as readonly ActionRow[];
  if (rows.length > 5)
    throw invalidForm('components', 'BASE_TYPE_BAD_LENGTH', 'Must be between 1 and 5 in length.');
  const ids = new Set<string>();
  for (const { components } of rows) {
    if (components.length < 1 || components.length > 5)
      throw invalidForm('components', 'BASE_TYPE_BAD_LENGTH', 'Must be between 1 and 5 in length.');
    for (const { label = '', custom_id: id = '' } of components) {
      if (label.length > 80 || id.length > 100 || id === '')
        throw invalidForm('components', 'BASE_TYPE_BAD_LENGTH', 'Must be between 1 and 80 in length.');
      if (ids.has(id))
        throw invalidForm(
          'components',
          'COMPONENT_CUSTOM_ID_DUPLICATED',
          'Component custom id cannot be duplicated',
        );
      ids.add(id);
    }
  }
  return rows;
}
