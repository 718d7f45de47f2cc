// What a person says, as the program wants to read it on its stdin.
import { ClaudeCliError } from './errors.ts';

export interface InputBlock {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** Plain text, content blocks (text, image, document), or a message with a uuid of the caller's choice. */
export type UserInput =
  | string
  | readonly InputBlock[]
  | { readonly content: string | readonly InputBlock[]; readonly uuid?: string };

/** Refuses what would end the program, or what the model would refuse: then or, from the transcript, for ever after. */
export function toUserLine(input: UserInput): string {
  const { content, uuid } = isMessage(input) ? input : { content: input, uuid: undefined };
  if (!isContent(content)) {
    throw new ClaudeCliError(
      'invalid_input',
      'An input must be a text that is not blank, or a list of at least one content block.',
    );
  }
  return JSON.stringify({
    type: 'user',
    message: { role: 'user', content },
    parent_tool_use_id: null,
    session_id: '',
    ...(uuid === undefined ? {} : { uuid }),
  });
}

function isMessage(input: unknown): input is Exclude<UserInput, string | readonly InputBlock[]> {
  return typeof input === 'object' && input !== null && 'content' in input;
}

/** Callers without types may give anything. */
function isContent(content: unknown): boolean {
  if (typeof content === 'string') return content.trim() !== '';
  return Array.isArray(content) && content.length > 0 && content.every(isBlock);
}

function isBlock(block: unknown): boolean {
  return typeof block === 'object' && block !== null && 'type' in block && typeof block.type === 'string';
}
