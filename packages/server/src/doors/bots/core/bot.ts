// The vocabulary that all chat services share: where a chat is, what comes in, what goes out, and the `Bot` port that
// each service implements. Everything in core works on these types only.
import { type ChannelName, type PromptPart, type Sentence, say } from '@parley/protocol';

/** The name of a bot. */
export type { ChannelName };

/** Where a chat is. Each topic or thread is a separate chat. Stored as JSON while an answer is owed. */
export interface ChatAddress {
  /** The name of the bot. */
  readonly channel: ChannelName;
  readonly chatId: string;
  readonly threadId?: string;
  /** Whether only one person and the bot are in it. */
  readonly isPrivate: boolean;
}

/** `telegram:4711`, or `telegram:4711:17` for a topic: the chat's key in the session map. */
export function chatKey({ channel, chatId, threadId }: ChatAddress): string {
  return threadId === undefined ? `${channel}:${chatId}` : `${channel}:${chatId}:${threadId}`;
}

/** The names of a bot's settings, as people know them: an environment variable or a configuration key. */
export interface SettingPlaces {
  readonly token: string;
  readonly allowFrom: string;
}

export interface Sender {
  /** The numeric id that allow lists contain, as digits. */
  readonly id: string;
  readonly isBot: boolean;
}

/** A message that somebody sent. */
export interface Inbound {
  /** The bot's name and the service's id of the update or message. No key is answered twice. */
  readonly key: string;
  readonly chat: ChatAddress;
  readonly sender: Sender;
  /** The service's id of the message, for replies. */
  readonly messageId: string;
  readonly content: InboundContent;
}

export type InboundContent =
  | {
      readonly kind: 'text';
      readonly text: string;
      /** Downloads the message's pictures and files. Rejects with a ParleyError whose message goes to the chat. */
      readonly loadAttachments?: AttachmentLoader;
    }
  /** Answered with a sentence that says it is not supported. `what` is a plural such as “Voice messages”. */
  | { readonly kind: 'unsupported'; readonly what: string };

export type AttachmentLoader = (signal: AbortSignal) => Promise<readonly PromptPart[]>;

/** Somebody pressed a button under one of our messages. */
export interface Press {
  readonly chat: ChatAddress;
  readonly sender: Sender;
  readonly data: string;
  readonly message: MessageRef;
}

/** What to tell the person who pressed a button. */
export interface PressAnswer {
  readonly text: string;
  /** The message with the button already shows it. */
  readonly isShown?: boolean;
}

/** `data` has at most 64 bytes, the limit of the services. */
export interface Button {
  readonly label: string;
  readonly data: string;
}

export interface OutgoingMessage {
  /** Markdown, at most `messageLength` long. */
  readonly text: string;
  /** Send the text without markup, because the service rejected the markup. */
  readonly isPlain?: boolean;
  /** The message that this one replies to. */
  readonly replyTo?: string;
  /** Rows of buttons. When a message is edited, an empty list removes its buttons. */
  readonly buttons?: readonly (readonly Button[])[];
  /** Send without a notification. */
  readonly isSilent?: boolean;
}

/** One of our messages in the service. */
export interface MessageRef {
  readonly messageId: string;
}

/** A bot of one service. Each method makes one attempt and rejects with a ServiceError; core does the retrying. */
export interface Bot {
  readonly name: ChannelName;
  /** The longest message, in UTF-16 units. */
  readonly messageLength: number;
  /**
   * Returns JSON that is stored before a message is sent, so that `findSent` can find out after a crash whether the
   * message arrived.
   */
  prepareSend(chat: ChatAddress): unknown;
  send(
    chat: ChatAddress,
    message: OutgoingMessage,
    attempt: unknown,
    signal: AbortSignal,
  ): Promise<MessageRef>;
  edit(chat: ChatAddress, ref: MessageRef, message: OutgoingMessage, signal: AbortSignal): Promise<void>;
  remove(chat: ChatAddress, ref: MessageRef, signal: AbortSignal): Promise<void>;
  showTyping(chat: ChatAddress, signal: AbortSignal): Promise<void>;
  /** Whether the message of this attempt arrived. Undefined when the service cannot say. */
  findSent(chat: ChatAddress, attempt: unknown, signal: AbortSignal): Promise<boolean | undefined>;
}

/**
 * Why a call to a service failed.
 * - `flood`: rate limit; try again after `retryAfterMs`
 * - `network`: no answer; the service may have done it
 * - `markup`: the service rejects the markup, but may accept plain text
 * - `unchanged`: the message already looks like this
 * - `gone`: this chat can no longer be reached
 * - `refused`: the service rejects the call as it is
 */
export type ServiceProblem = 'flood' | 'network' | 'markup' | 'unchanged' | 'gone' | 'refused';

export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  declare readonly message: Sentence;
  readonly problem: ServiceProblem;
  readonly retryAfterMs: number | undefined;

  constructor(
    problem: ServiceProblem,
    message: Sentence,
    options: ErrorOptions & { retryAfterMs?: number } = {},
  ) {
    super(message, options);
    this.problem = problem;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** For the person who runs a bot. */
export const internalError = say`Something went wrong inside Parley. See the server log for details.`;
