// The notes assistant over REST and NDJSON: bodies and stream lines that clients rely on.
import { z } from 'zod';

export const HistoryEntry = z.object({ role: z.enum(['user', 'assistant']), content: z.string() });
export type HistoryEntry = z.infer<typeof HistoryEntry>;

const NoHistory = z.array(HistoryEntry).length(0);

/** Information that is not a failure of the turn, such as an answer that was cut. */
export const ChatNotice = z.object({ code: z.string(), message: z.string() });
export type ChatNotice = z.infer<typeof ChatNotice>;

export const ChatResponse = z.object({
  success: z.literal(true),
  session_id: z.string(),
  response: z.string(),
  history: z.array(HistoryEntry),
  /** Absent if there are none. */
  notices: z.array(ChatNotice).optional(),
});
export type ChatResponse = z.infer<typeof ChatResponse>;

/** Repeats the message, because some clients read it here. Every answer with an error status has it. */
const detail = z.string();

export const ChatFailure = z.object({
  success: z.literal(false),
  message: z.string(),
  detail,
  response: z.literal(''),
  history: NoHistory,
});
export type ChatFailure = z.infer<typeof ChatFailure>;

/** An unknown session is not an error: it gets status 200 and an empty history. */
export const ClearResponse = z.union([
  z.object({ success: z.literal(true), message: z.string() }),
  z.object({ success: z.literal(false), message: z.string(), history: NoHistory, detail: detail.optional() }),
]);
export type ClearResponse = z.infer<typeof ClearResponse>;

export const HistoryResponse = z.union([
  z.object({ success: z.literal(true), history: z.array(HistoryEntry) }),
  z.object({ success: z.literal(false), message: z.string(), history: NoHistory, detail: detail.optional() }),
]);
export type HistoryResponse = z.infer<typeof HistoryResponse>;

/** One line of the NDJSON stream. */
export const StreamLine = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), delta: z.string() }),
  z.object({ type: z.literal('tool_use'), name: z.string(), input: z.unknown() }),
  z.object({ type: z.literal('notice'), ...ChatNotice.shape }),
  z.object({ type: z.literal('session'), session_id: z.string() }),
  z.object({ type: z.literal('ping') }),
  z.object({ type: z.literal('error'), message: z.string() }),
]);
export type StreamLine = z.infer<typeof StreamLine>;
