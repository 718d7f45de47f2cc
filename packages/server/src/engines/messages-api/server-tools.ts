// Tools that the service runs itself: their calls and results are blocks in the reply, stored as they are. Pure.
import type { ContentBlock, TurnEvent } from '@parley/protocol';
import type { ApiProblem } from './api-problem.ts';

/** What a person sees of the blocks from `from` on: that the service uses a tool, and the outcome. */
export function serverToolEvents(blocks: readonly ContentBlock[], from: number): readonly TurnEvent[] {
  return blocks.slice(from).flatMap((block): TurnEvent[] => {
    if (isServerCall(block)) {
      return [
        { type: 'tool.started', id: String(block['id']), tool: String(block['name']), input: block['input'] },
      ];
    }
    if (!isServerResult(block)) return [];
    // The type names the tool; its call may be in an earlier message when the service paused in between.
    const tool = block.type.slice(0, -resultSuffix.length);
    const outcome = isError(block) ? 'failed' : 'finished';
    return [{ type: 'tool.ended', id: String(block['tool_use_id']), tool, outcome }];
  });
}

/** A filter that drops calls without results and results without calls, which the service refuses. */
export function pairServerCalls(messages: readonly ContentBlock[]): (block: ContentBlock) => boolean {
  const called = new Set(messages.filter(isServerCall).map((block) => block['id']));
  const answered = new Set(messages.filter(isServerResult).map((block) => block['tool_use_id']));
  return (block) =>
    !(isServerCall(block) && !answered.has(block['id'])) &&
    !(isServerResult(block) && !called.has(block['tool_use_id']));
}

/** Whether the service refused the request because of them, judging by its message. */
export function refusesServerTools({ kind, message }: ApiProblem): boolean {
  return kind === 'refused' && /web[_ ]search|server[_ ]tool/i.test(message);
}

const resultSuffix = '_tool_result';

function isServerCall(block: ContentBlock): boolean {
  return block.type === 'server_tool_use';
}

export function isServerResult(block: ContentBlock): boolean {
  return block.type !== 'mcp_tool_result' && block.type.endsWith(resultSuffix);
}

function isError(block: ContentBlock): boolean {
  const content = block['content'] as { type?: unknown } | undefined;
  return typeof content?.type === 'string' && content.type.endsWith('_error');
}

/** The addresses in the result of a web search. */
export function foundAddresses(block: ContentBlock): readonly string[] {
  const content: unknown = block['content'];
  const pages: readonly unknown[] = Array.isArray(content) ? content : [];
  return pages.flatMap((page) => {
    const url = (page as { readonly url?: unknown } | null)?.url;
    return typeof url === 'string' ? [url] : [];
  });
}
