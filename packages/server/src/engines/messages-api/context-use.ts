// What fills the context of the model, estimated from the request that the next turn would send. Pure.
import type { ContentBlock, ContextUse } from '@parley/protocol';
import type { MessagesRequest } from './request.ts';
import { estimateMessage, estimateTokens } from './trimming.ts';

export function contextUse({ system, tools = [], messages }: MessagesRequest, window: number): ContextUse {
  const sums = new Map<string, number>([
    ['system_prompt', estimateTokens(system)],
    ['tools', tools.length === 0 ? 0 : estimateTokens(tools)],
  ]);
  const byTool = new Map<string, number>();
  const names = new Map<unknown, string>();
  for (const { role, content } of messages) {
    for (const block of content) {
      const tokens = estimateMessage({ role, content: [block] }).tokens;
      add(sums, partOf(block), tokens);
      if (block.type === 'tool_use') names.set(block['id'], String(block['name']));
      const tool = names.get(block.type === 'tool_use' ? block['id'] : block['tool_use_id']);
      if (tool !== undefined) add(byTool, tool, tokens);
    }
  }
  const parts = largestFirst(sums).map(([id, tokens]) => ({ id, name: id.replaceAll('_', ' '), tokens }));
  return {
    tokens: parts.reduce((sum, { tokens }) => sum + tokens, 0),
    window,
    parts,
    tools: largestFirst(byTool).map(([name, tokens]) => ({ name, tokens })),
  };
}

function partOf({ type }: ContentBlock): string {
  switch (type) {
    case 'image':
      return 'pictures';
    case 'document':
      return 'files';
    case 'text':
    case 'thinking':
      return 'messages';
    default:
      return 'tool_results';
  }
}

function add(sums: Map<string, number>, name: string, tokens: number): void {
  sums.set(name, (sums.get(name) ?? 0) + tokens);
}

function largestFirst(sums: ReadonlyMap<string, number>): [string, number][] {
  return [...sums].filter(([, tokens]) => tokens > 0).toSorted(([, a], [, b]) => b - a);
}
