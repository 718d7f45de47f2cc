// A person's input in the format that the program reads on stdin.
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

/** Rejects input that would end the program, or that the model would refuse now and in every later turn. */
export function toUserLine(input: UserInput): string {
  const { content, uuid } = isMessage(input) ? input : { content: input, uuid: undefined };
  if (!isContent(content)) {
    throw new ClaudeCliError(
      'invalid_input',
      'Input must be text that is not blank, or a list of at least one content block.',
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

/** Callers without types may pass anything. */
function isContent(content: unknown): boolean {
  if (typeof content === 'string') return content.trim() !== '';
  return Array.isArray(content) && content.length > 0 && content.every(isBlock);
}

function isBlock(block: unknown): boolean {
  return typeof block === 'object' && block !== null && 'type' in block && typeof block.type === 'string';
}
