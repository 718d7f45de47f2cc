// Tools that the service runs itself: their calls and results are blocks within the reply, kept as they are. Pure.
import type { ContentBlock, TurnEvent } from '@parley/protocol';

/** What a person sees of the blocks from `from` on: that the service began to use a tool, and how it came out. */
export function serverToolEvents(blocks: readonly ContentBlock[], from: number): readonly TurnEvent[] {
  return blocks.slice(from).flatMap((block): TurnEvent[] => {
    if (isServerCall(block)) {
      const { id, tool } = callOf(block);
      return [{ type: 'tool.started', id, tool, input: block['input'] }];
    }
    const call = isServerResult(block)
      ? blocks.find((other) => isServerCall(other) && other['id'] === block['tool_use_id'])
      : undefined;
    if (call === undefined) return [];
    return [{ type: 'tool.ended', ...callOf(call), outcome: isError(block) ? 'failed' : 'finished' }];
  });
}

/** Leaves out calls without results and results without calls, which the service refuses. */
export function pairServerCalls(messages: readonly ContentBlock[]): (block: ContentBlock) => boolean {
  const called = new Set(messages.filter(isServerCall).map((block) => block['id']));
  const answered = new Set(messages.filter(isServerResult).map((block) => block['tool_use_id']));
  return (block) =>
    !(isServerCall(block) && !answered.has(block['id'])) &&
    !(isServerResult(block) && !called.has(block['tool_use_id']));
}

function isServerCall(block: ContentBlock): boolean {
  return block.type === 'server_tool_use';
}

function isServerResult(block: ContentBlock): boolean {
  return block.type !== 'mcp_tool_result' && /._tool_result$/.test(block.type);
}

function callOf(block: ContentBlock): { readonly id: string; readonly tool: string } {
  return { id: String(block['id']), tool: String(block['name']) };
}

function isError(block: ContentBlock): boolean {
  const content = block['content'] as { type?: unknown } | undefined;
  return typeof content?.type === 'string' && content.type.endsWith('_error');
}
