// Messages and interactions of Discord in the words of core. Messages are the same whether the gateway brought them
// or REST. Pure, but for the pictures, which are fetched when they are wanted.
import type { PromptPart } from '@parley/protocol';
import {
  type APIAttachment,
  type APIInteraction,
  type APIMessage,
  ApplicationCommandOptionType,
  ApplicationCommandType,
  InteractionType,
  MessageFlags,
  MessageType,
} from 'discord-api-types/v10';
import type { ChannelName, ChatAddress, Inbound, InboundContent, Press, Sender } from '../core/channel.ts';

type FetchPicture = (picture: APIAttachment, signal: AbortSignal) => Promise<PromptPart>;

export interface InboundContext {
  /** The name of the bot. */
  readonly bot: ChannelName;
  readonly botId: string;
  readonly isPrivate: boolean;
  readonly fetchPicture: FetchPicture;
}

/** Undefined for what nobody is owed an answer for: messages of bots, and notes of the service itself. */
export function toInbound(message: APIMessage, context: InboundContext): Inbound | undefined {
  if (!isOfPerson(message)) return undefined;
  return {
    key: `${context.bot}:${message.id}`,
    chat: addressOf(context.bot, message.channel_id, context.isPrivate),
    sender: { id: message.author.id, isBot: false },
    messageId: message.id,
    content: contentOf(message, context),
  };
}

/** The service tells of changes that it made itself, such as a preview of a link; only a person's have a time. */
export function toEdited(
  message: APIMessage,
  { bot, isPrivate }: Pick<InboundContext, 'bot' | 'isPrivate'>,
): Inbound | undefined {
  if (!message.edited_timestamp || !isOfPerson(message)) return undefined;
  return {
    key: `${bot}:${message.id}:${Date.parse(message.edited_timestamp)}`,
    chat: addressOf(bot, message.channel_id, isPrivate),
    sender: { id: message.author.id, isBot: false },
    messageId: message.id,
    content: { kind: 'edited' },
  };
}

export type InteractionArrival =
  | { readonly kind: 'press'; readonly press: Press }
  | { readonly kind: 'command'; readonly inbound: Inbound };

export function toArrival(interaction: APIInteraction, bot: ChannelName): InteractionArrival | undefined {
  const user = interaction.member?.user ?? interaction.user;
  const channelId = interaction.channel?.id;
  if (!user || channelId === undefined) return undefined;
  const chat = addressOf(bot, channelId, interaction.guild_id === undefined);
  const sender: Sender = { id: user.id, isBot: user.bot === true };
  switch (interaction.type) {
    case InteractionType.MessageComponent: {
      const message = { messageId: interaction.message.id };
      return { kind: 'press', press: { chat, sender, data: interaction.data.custom_id, message } };
    }
    case InteractionType.ApplicationCommand: {
      const { data } = interaction;
      if (data.type !== ApplicationCommandType.ChatInput) return undefined;
      const words = (data.options ?? []).flatMap((option) =>
        option.type === ApplicationCommandOptionType.String ? [option.value] : [],
      );
      const text = [`/${data.name}`, ...words].join(' ');
      const key = `${bot}:${interaction.id}`;
      // It is no message that an answer could refer to; the service passes over such a reference.
      const inbound = {
        key,
        chat,
        sender,
        messageId: interaction.id,
        content: { kind: 'text', text },
      } as const;
      return { kind: 'command', inbound };
    }
    default:
      return undefined;
  }
}

function addressOf(channel: ChannelName, chatId: string, isPrivate: boolean): ChatAddress {
  return { channel, chatId, isPrivate };
}

function isOfPerson({ author, type, webhook_id: webhook }: APIMessage): boolean {
  const isSaid = type === MessageType.Default || type === MessageType.Reply;
  return isSaid && author.bot !== true && webhook === undefined;
}

function contentOf(message: APIMessage, { botId, fetchPicture }: InboundContext): InboundContent {
  const said = saidIn(message);
  const what = unsupportedIn(said);
  if (what !== undefined) return { kind: 'unsupported', what };
  const { attachments } = said;
  return {
    kind: 'text',
    text: withoutMention(said.content, botId),
    ...(attachments.length > 0 && {
      loadImages: (signal: AbortSignal) =>
        Promise.all(attachments.map((picture) => fetchPicture(picture, signal))),
    }),
  };
}

type Said = Pick<APIMessage, 'content' | 'attachments' | 'flags' | 'sticker_items' | 'poll'>;

/** What somebody forwards stands in a copy, and the message around it is empty. */
function saidIn(message: APIMessage): Said {
  const copy: Said | undefined = message.message_snapshots?.[0]?.message;
  return copy && message.content === '' ? copy : message;
}

function unsupportedIn({ attachments, flags, sticker_items: stickers, poll }: Said): string | undefined {
  if (((flags ?? 0) & MessageFlags.IsVoiceMessage) !== 0) return 'Voice messages';
  if (poll) return 'Polls';
  if (stickers && stickers.length > 0) return 'Stickers';
  const other = attachments.find(({ content_type: type }) => !type?.startsWith('image/'));
  if (!other) return undefined;
  if (other.content_type?.startsWith('video/')) return 'Videos';
  return other.content_type?.startsWith('audio/') ? 'Audio files' : 'Files';
}

/** In a channel with others people say whom they mean; the program need not read that. */
function withoutMention(text: string, botId: string): string {
  const mention = new RegExp(`^\\s*<@!?${botId}>[\\s,:]*`);
  return text.replace(mention, '');
}
