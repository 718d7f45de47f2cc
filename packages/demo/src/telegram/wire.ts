// The Bot API's own shapes, as far as they are played here.

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

/** Fields that an injected message may have beside those that the stand-in sets itself. */
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

/** An answer of the Bot API that says no. */
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
