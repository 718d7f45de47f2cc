// The supported types of the Bot API.

export type TelegramUser = {
  readonly id: number;
  readonly is_bot: boolean;
  readonly first_name: string;
  readonly username?: string;
};

export type TelegramChat = {
  readonly id: number;
  readonly type: 'private' | 'group' | 'supergroup' | 'channel';
  readonly title?: string;
  readonly first_name?: string;
  readonly is_forum?: boolean;
};

export type MessageEntity = {
  readonly type: string;
  readonly offset: number;
  readonly length: number;
  readonly url?: string;
  readonly language?: string;
};

/** Fields of an injected message in addition to those that the service sets itself. */
export type MessageFields = Readonly<Record<string, unknown>>;

export type TelegramMessage = {
  readonly message_id: number;
  readonly date: number;
  readonly chat: TelegramChat;
} & MessageFields;

export type Update = { readonly update_id: number } & Readonly<Record<string, unknown>>;

export type InlineKeyboard = {
  readonly inline_keyboard: readonly (readonly {
    readonly text: string;
    readonly callback_data?: string;
  }[])[];
};

/** An error response of the Bot API. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: number;
  readonly parameters: Readonly<Record<string, unknown>> | undefined;

  constructor(code: number, description: string, parameters?: Readonly<Record<string, unknown>>) {
    super(description);
    this.code = code;
    this.parameters = parameters;
  }
}

export function badRequest(reason: string): Refusal {
  return new Refusal(400, `Bad Request: ${reason}`);
}
