// The supported types of Discord's API.

export type DiscordUser = {
  readonly id: string;
  readonly username: string;
  readonly bot?: boolean;
};

/** 0 is a text channel of a server, 1 a direct message, 11 a public thread. */
export type DiscordChannel = {
  readonly id: string;
  readonly type: 0 | 1 | 11;
  readonly name?: string;
  readonly guild_id?: string;
  readonly parent_id?: string;
};

export type DiscordAttachment = {
  readonly id: string;
  readonly filename: string;
  readonly size: number;
  readonly url: string;
  readonly proxy_url: string;
  readonly content_type?: string;
};

export type ActionRow = {
  readonly type: 1;
  readonly components: readonly {
    readonly type: number;
    readonly style?: number;
    readonly label?: string;
    readonly custom_id?: string;
  }[];
};

/** Fields of an injected message in addition to those that the service sets itself. */
export type DiscordFields = Readonly<Record<string, unknown>>;

export type Payload = Readonly<Record<string, unknown>>;

/** An error response of the REST API. */
export class DiscordRefusal extends Error {
  override readonly name = 'DiscordRefusal';
  readonly status: number;
  readonly code: number;
  readonly errors: Payload | undefined;

  constructor(status: number, code: number, message: string, errors?: Payload) {
    super(message);
    this.status = status;
    this.code = code;
    this.errors = errors;
  }
}

/** Code 50035 with the invalid field, in Discord's format. */
export function invalidForm(field: string, code: string, message: string): DiscordRefusal {
  const errors = { [field]: { _errors: [{ code, message }] } };
  return new DiscordRefusal(400, 50_035, 'Invalid Form Body', errors);
}

export const unknownChannel = new DiscordRefusal(404, 10_003, 'Unknown Channel');
export const unknownMessage = new DiscordRefusal(404, 10_008, 'Unknown Message');
