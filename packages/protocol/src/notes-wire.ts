// The notes assistant over REST and NDJSON: bodies and stream lines that clients rely on.
import { z } from 'zod';

export const HistoryEntry = z.object({ role: z.enum(['user', 'assistant']), content: z.string() });
export type HistoryEntry = z.infer<typeof HistoryEntry>;

export const ChatResponse = z.object({
  success: z.literal(true),
  session_id: z.string(),
  response: z.string(),
  history: z.array(HistoryEntry),
});
export type ChatResponse = z.infer<typeof ChatResponse>;

export const ChatFailure = z.object({
  success: z.literal(false),
  message: z.string(),
  response: z.literal(''),
  history: z.array(HistoryEntry).length(0),
});
export type ChatFailure = z.infer<typeof ChatFailure>;

export const ClearResponse = z.object({ success: z.boolean(), message: z.string() });
export type ClearResponse = z.infer<typeof ClearResponse>;

export const HistoryResponse = z.union([
  z.object({ success: z.literal(true), history: z.array(HistoryEntry) }),
  z.object({ success: z.literal(false), message: z.string(), history: z.array(HistoryEntry).length(0) }),
]);
export type HistoryResponse = z.infer<typeof HistoryResponse>;

/** One line of the NDJSON stream. */
export const StreamLine = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), delta: z.string() }),
  z.object({ type: z.literal('tool_use'), name: z.string(), input: z.unknown() }),
  z.object({ type: z.literal('session'), session_id: z.string() }),
  z.object({ type: z.literal('ping') }),
  z.object({ type: z.literal('error'), message: z.string() }),
]);
export type StreamLine = z.infer<typeof StreamLine>;
