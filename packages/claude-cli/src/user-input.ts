// What a person says, as the program wants to read it on its stdin.

export interface InputBlock {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** Plain text, content blocks (text, image, document), or a message with a uuid of the caller's choice. */
export type UserInput =
  | string
  | readonly InputBlock[]
  | { readonly content: string | readonly InputBlock[]; readonly uuid?: string };

export function toUserLine(input: UserInput): string {
  const { content, uuid } = isMessage(input) ? input : { content: input, uuid: undefined };
  return JSON.stringify({
    type: 'user',
    message: { role: 'user', content },
    parent_tool_use_id: null,
    session_id: '',
    ...(uuid === undefined ? {} : { uuid }),
  });
}

function isMessage(input: UserInput): input is Exclude<UserInput, string | readonly InputBlock[]> {
  return typeof input === 'object' && 'content' in input;
}
