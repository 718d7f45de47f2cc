// Translates Discord's messages and interactions for core. Messages from the gateway and from REST look the same. Pure,
// except that pictures and files are downloaded on demand.
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
import type { ChannelName, ChatAddress, Inbound, InboundContent, Press, Sender } from '../core/bot.ts';

type FetchAttachment = (attachment: APIAttachment, signal: AbortSignal) => Promise<PromptPart>;

export interface InboundContext {
  /** The name of the bot. */
  readonly bot: ChannelName;
  readonly botId: string;
  readonly isPrivate: boolean;
  readonly fetchAttachment: FetchAttachment;
}

/** Undefined for messages that get no answer: those from bots, and notices from Discord itself. */
export function toInbound(message: APIMessage, context: InboundContext): Inbound | undefined {
  if (!isFromPerson(message)) return undefined;
  return {
    key: `${context.bot}:${message.id}`,
    chat: addressOf(context.bot, message.channel_id, context.isPrivate),
    sender: { id: message.author.id, isBot: false },
    messageId: message.id,
    content: contentOf(message, context),
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
      // A reply cannot refer to an interaction: Discord ignores the reference.
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

function isFromPerson({ author, type, webhook_id: webhook }: APIMessage): boolean {
  const isWritten = type === MessageType.Default || type === MessageType.Reply;
  return isWritten && author.bot !== true && webhook === undefined;
}

function contentOf(message: APIMessage, { botId, fetchAttachment }: InboundContext): InboundContent {
  const source = contentIn(message);
  const what = unsupportedIn(source);
  if (what !== undefined) return { kind: 'unsupported', what };
  const { attachments } = source;
  return {
    kind: 'text',
    text: withoutMention(source.content, botId),
    ...(attachments.length > 0 && {
      loadAttachments: (signal: AbortSignal) =>
        Promise.all(attachments.map((attachment) => fetchAttachment(attachment, signal))),
    }),
  };
}

type Source = Pick<APIMessage, 'content' | 'attachments' | 'flags' | 'sticker_items' | 'poll'>;

/** A forwarded message is a copy inside an empty message. */
function contentIn(message: APIMessage): Source {
  const copy: Source | undefined = message.message_snapshots?.[0]?.message;
  return copy && message.content === '' ? copy : message;
}

function unsupportedIn({ attachments, flags, sticker_items: stickers, poll }: Source): string | undefined {
  if (((flags ?? 0) & MessageFlags.IsVoiceMessage) !== 0) return 'Voice messages';
  if (poll) return 'Polls';
  if (stickers && stickers.length > 0) return 'Stickers';
  const has = (kind: string) => attachments.some(({ content_type: type }) => type?.startsWith(kind));
  if (has('video/')) return 'Videos';
  return has('audio/') ? 'Audio files' : undefined;
}

/** In a shared channel people mention the bot; the program does not need to read that. */
function withoutMention(text: string, botId: string): string {
  const mention = new RegExp(`^\\s*<@!?${botId}>[\\s,:]*`);
  return text.replace(mention, '');
}
