// Tokens as the Messages API tells them, and as events tell them.
import type { StreamEvent, Usage } from '../frames/bodies.ts';
import type { TokenCounts } from './event.ts';

export function tokenCounts(usage: Usage): TokenCounts {
  return {
    inputTokens: usage.input_tokens ?? 0,
    outputTokens: usage.output_tokens ?? 0,
    cacheReadTokens: usage.cache_read_input_tokens ?? 0,
    cacheCreationTokens: usage.cache_creation_input_tokens ?? 0,
  };
}

/** The use of a message as its end tells it; what only its start told is kept from there. */
export function usageAtEnd(event: StreamEvent, atStart: Usage): Usage | undefined {
  const usage = event.usage ?? insideDelta(event);
  return usage && { ...atStart, ...withoutNulls(usage) };
}

/** Some streams put the use inside the delta. */
function insideDelta(event: StreamEvent): Usage | undefined {
  return (event.delta as { usage?: Usage } | undefined)?.usage;
}

function withoutNulls(usage: Usage): Usage {
  return Object.fromEntries(
    Object.entries(usage).filter(([, value]) => value !== null && value !== undefined),
  );
}
