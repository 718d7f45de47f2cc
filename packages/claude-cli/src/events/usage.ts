// Converts token counts of the Messages API to those of events.
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

/** The usage at the end of a message, completed with what only its start reported. */
export function usageAtEnd(event: StreamEvent, atStart: Usage): Usage | undefined {
  const usage = event.usage ?? insideDelta(event);
  return usage && { ...atStart, ...withoutNulls(usage) };
}

/** Some streams put the usage inside the delta. */
function insideDelta(event: StreamEvent): Usage | undefined {
  return (event.delta as { usage?: Usage } | undefined)?.usage;
}

function withoutNulls(usage: Usage): Usage {
  return Object.fromEntries(
    Object.entries(usage).filter(([, value]) => value !== null && value !== undefined),
  );
}
