// Decides how many of the oldest turns are left out so that the rest fits. Pure.
import type { ContentBlock, Message } from '@parley/protocol';

/**
 * How many turns to leave out, from the oldest on. It leaves out a little more than needed, in steps of a quarter
 * of the budget: so the conversation keeps its beginning for many turns, and with it its place in the prompt cache.
 */
export function turnsToLeaveOut(turnTokens: readonly number[], budget: number): number {
  const total = turnTokens.reduce((sum, tokens) => sum + tokens, 0);
  if (total <= budget) return 0;
  const step = Math.max(1, Math.floor(budget / 4));
  const target = Math.ceil((total - budget) / step) * step;
  let left = 0;
  let count = 0;
  while (left < target && count < turnTokens.length) {
    left += turnTokens[count] ?? 0;
    count += 1;
  }
  return count;
}

/** About how many tokens something has: a token is some four bytes, an image counts by itself. */
export function estimateTokens(value: unknown): number {
  return Math.ceil(Buffer.byteLength(JSON.stringify(value) ?? '') / bytesPerToken);
}

export function estimateMessage(message: Message): number {
  return messageOverhead + message.content.reduce((sum, block) => sum + estimateBlock(block), 0);
}

const bytesPerToken = 4;
const messageOverhead = 4;
const imageTokens = 1_600;

function estimateBlock(block: ContentBlock): number {
  if (block.type === 'image') return imageTokens;
  const inner = block['content'];
  if (block.type !== 'tool_result' || !Array.isArray(inner)) return estimateTokens(block);
  return (inner as ContentBlock[]).reduce(
    (sum, part) => sum + estimateBlock(part),
    estimateTokens(block['tool_use_id']),
  );
}
