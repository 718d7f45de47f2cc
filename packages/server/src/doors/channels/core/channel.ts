// The words that all chat services share: where a chat is, what comes in, what goes out, and the port that a
// service such as Telegram implements. Everything in core works on these alone.
import type { ChannelName, PromptPart } from '@parley/protocol';

export type { ChannelName };

/** Where a chat is. A topic or a thread is a chat of its own. It is kept as JSON while an answer is owed. */
export interface ChatAddress {
  readonly channel: ChannelName;
  readonly chatId: string;
  readonly threadId?: string;
  /** Whether only one person and the bot are in it. */
  readonly isPrivate: boolean;
}

/** `telegram:4711`, or `telegram:4711:17` for a topic: the key of the session map. It begins with the bot's name. */
export function conversationKey({ channel, chatId, threadId }: ChatAddress): string {
  return threadId === undefined ? `${channel}:${chatId}` : `${channel}:${chatId}:${threadId}`;
}

/** Where a person finds the settings of a bot, in words: a variable, or a key of the configuration. */
export interface SettingPlaces {
  readonly token: string;
  readonly allowFrom: string;
}

export interface Sender {
  /** The numeric id, in digits: what allow lists name. */
  readonly id: string;
  readonly isBot: boolean;
}

/** A message that somebody wrote, or what came in its place. */
export interface Inbound {
  /** The same key is never answered twice: the bot's name with the id of the update or message. */
  readonly key: string;
  readonly chat: ChatAddress;
  readonly sender: Sender;
  /** The message in the service, for an answer that refers to it. */
  readonly messageId: string;
  readonly content: InboundContent;
}

export type InboundContent =
  | {
      readonly kind: 'text';
      readonly text: string;
      /** Fetches the pictures of the message. Rejects with a ParleyError whose sentence goes to the chat. */
      readonly loadImages?: (signal: AbortSignal) => Promise<readonly PromptPart[]>;
    }
  /** Answered with a sentence that says what cannot be done with it, such as “Voice messages”. */
  | { readonly kind: 'unsupported'; readonly what: string }
  /** An earlier message was changed: what was answered stays as it is, and the person is told so. */
  | { readonly kind: 'edited' };

/** Somebody pressed a button under a message of ours. */
export interface Press {
  readonly chat: ChatAddress;
  readonly sender: Sender;
  readonly data: string;
  readonly message: MessageRef;
}

/** What to tell whoever pressed. */
export interface PressAnswer {
  readonly text: string;
  /** The message with the button shows it too. */
  readonly isShown?: boolean;
}

/** At most 64 bytes of `data`, which is what services take. */
export interface Button {
  readonly label: string;
  readonly data: string;
}

export interface Outgoing {
  /** Markdown; not longer than the channel's `messageLength`. */
  readonly text: string;
  /** The service refused the markup: send the text as it is. */
  readonly isPlain?: boolean;
  /** The message that this one answers, shown as such. */
  readonly replyTo?: string;
  /** Rows of buttons; an empty list takes them away when a message is edited. */
  readonly buttons?: readonly (readonly Button[])[];
  /** Makes no sound. */
  readonly isSilent?: boolean;
}

/** A message of ours in the service. */
export interface MessageRef {
  readonly messageId: string;
}

export interface Channel {
  readonly name: ChannelName;
  /** The longest message, in UTF-16 units. */
  readonly messageLength: number;
  /**
   * What is written down before a message is sent, so that `findSent` can tell after a crash whether it arrived.
   * JSON.
   */
  prepareSend(chat: ChatAddress): unknown;
  /** One try. All four reject with a ChannelError. */
  send(chat: ChatAddress, message: Outgoing, attempt: unknown, signal: AbortSignal): Promise<MessageRef>;
  edit(chat: ChatAddress, ref: MessageRef, message: Outgoing, signal: AbortSignal): Promise<void>;
  remove(chat: ChatAddress, ref: MessageRef, signal: AbortSignal): Promise<void>;
  showTyping(chat: ChatAddress, signal: AbortSignal): Promise<void>;
  /** Whether a message arrived whose fate is unknown. Undefined when the service cannot tell. */
  findSent(chat: ChatAddress, attempt: unknown, signal: AbortSignal): Promise<boolean | undefined>;
}

/**
 * Why a service did not do what it was asked.
 * `flood`: later, after `retryAfterMs`. `network`: it may have been done. `markup`: the text, without markup, may
 * pass. `unchanged`: it is so already. `gone`: never, in this chat. `refused`: not like this.
 */
export type ChannelProblem = 'flood' | 'network' | 'markup' | 'unchanged' | 'gone' | 'refused';

export class ChannelError extends Error {
  override readonly name = 'ChannelError';
  readonly problem: ChannelProblem;
  readonly retryAfterMs: number | undefined;

  constructor(
    problem: ChannelProblem,
    message: string,
    options: ErrorOptions & { retryAfterMs?: number } = {},
  ) {
    super(message, options);
    this.problem = problem;
    this.retryAfterMs = options.retryAfterMs;
  }
}
