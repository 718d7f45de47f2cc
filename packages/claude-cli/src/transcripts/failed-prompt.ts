// Finds the last prompt of a transcript if an error kept the model from answering it. The program would send it again
// along with the next prompt; resuming before it prevents that.
import { readTail } from './tail-lines.ts';

/** The last prompt and the error are at the end, a few lines apart. */
const TAIL_BYTES = 1024 * 1024;
const uuidKey = Buffer.from('"uuid"');
const leafKey = Buffer.from('"leafUuid"');

export interface FailedPrompt {
  /** The uuid of the message before it, for `resume_session_at`. Undefined if it is the first of the conversation. */
  readonly after: string | undefined;
}

interface Line {
  readonly type?: string;
  readonly uuid?: string;
  readonly parentUuid?: string | null;
  readonly isSidechain?: boolean;
  readonly isApiErrorMessage?: boolean;
  readonly message?: { readonly content?: unknown };
  readonly leafUuid?: string | null;
  readonly explicit?: boolean;
}

/** Undefined if the last prompt did not fail, or the conversation already continues without it. */
export async function lastFailedPrompt(transcript: string): Promise<FailedPrompt | undefined> {
  let prompt: Line | undefined;
  let hasFailed = false;
  let isRewound = false;
  const isRead = await readTail(transcript, TAIL_BYTES, (bytes) => {
    if (!bytes.includes(uuidKey) && !bytes.includes(leafKey)) return;
    const line = parse(bytes);
    if (line === undefined || line.isSidechain) return;
    if (line.type === 'last-prompt') isRewound = line.leafUuid === null && line.explicit === true;
    if (line.type === 'user') {
      prompt = isPrompt(line) ? line : undefined;
      hasFailed = false;
    } else if (line.type === 'assistant') {
      if (line.isApiErrorMessage) hasFailed = true;
      else prompt = undefined;
    }
  });
  if (!isRead || !hasFailed || isRewound || prompt?.parentUuid === undefined) return undefined;
  return { after: prompt.parentUuid ?? undefined };
}

/** Not the result of a tool. */
function isPrompt({ message }: Line): boolean {
  const content = message?.content;
  if (!Array.isArray(content)) return true;
  return !content.some((block) => (block as { type?: unknown }).type === 'tool_result');
}

function parse(bytes: Buffer): Line | undefined {
  try {
    return JSON.parse(bytes.toString()) as Line;
  } catch {
    return undefined;
  }
}
