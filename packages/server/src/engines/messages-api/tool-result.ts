// Turns a tool's result into the block that the model reads, cut to the allowed size.
import type { ContentBlock } from '@parley/protocol';
import { imageLimits } from '../../content/check-image.ts';
import type { ToolResult } from '../../domain/tool.ts';

export interface ToolResultBlock extends ContentBlock {
  readonly type: 'tool_result';
  readonly tool_use_id: string;
}

export function toResultBlock(id: string, result: ToolResult, maxBytes: number): ToolResultBlock {
  return {
    type: 'tool_result',
    tool_use_id: id,
    content:
      typeof result.content === 'string'
        ? cutText(result.content, maxBytes)
        : cutBlocks(result.content, maxBytes),
    ...(result.failed === true ? { is_error: true } : {}),
  };
}

/** For calls that never finished: the API refuses a conversation in which a call has no result. */
export function interruptedResult(id: string): ToolResultBlock {
  return {
    type: 'tool_result',
    tool_use_id: id,
    content: 'This call was interrupted before it finished. It may have taken effect partly or not at all.',
    is_error: true,
  };
}

const emptyResult = '(The tool returned no output.)';

function cutText(text: string, maxBytes: number): string {
  if (text === '') return emptyResult;
  // A UTF-16 unit is at most three bytes, so most texts don't have to be counted.
  if (text.length * 3 <= maxBytes) return text;
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  const kept = new TextDecoder().decode(bytes.subarray(0, maxBytes), { stream: true });
  return `${kept}\n\n[The result was cut here: it has ${bytes.length} bytes, of which the first ${maxBytes} are shown.]`;
}

/** Pictures have their own limit: their tokens depend on their dimensions, not on their bytes. */
function cutBlocks(blocks: readonly ContentBlock[], maxBytes: number): readonly ContentBlock[] {
  const left = { text: maxBytes, pictures: imageLimits.base64Length };
  const kept: ContentBlock[] = [];
  for (const block of blocks) {
    if (block.type === 'text' && textOf(block).trim() === '') continue;
    const room = block.type === 'image' ? 'pictures' : 'text';
    const size = sizeOf(block);
    if (size <= left[room]) kept.push(block);
    else if (block.type === 'text' && left.text > 0)
      kept.push({ ...block, text: cutText(textOf(block), left.text) });
    else
      kept.push({ type: 'text', text: `[A part of the result was left out: ${block.type}, ${size} bytes.]` });
    left[room] = Math.max(0, left[room] - size);
  }
  return kept.length === 0 ? [{ type: 'text', text: emptyResult }] : kept;
}

function sizeOf(block: ContentBlock): number {
  if (block.type === 'text') return Buffer.byteLength(textOf(block));
  const { data } = (block['source'] ?? {}) as { readonly data?: unknown };
  return typeof data === 'string' ? data.length : JSON.stringify(block).length;
}

function textOf(block: ContentBlock): string {
  return typeof block['text'] === 'string' ? block['text'] : '';
}
