// The limits of the engine, each with its default.
export interface MessagesApiLimits {
  /** Rounds of tool calls in one turn; after them the model must answer. */
  readonly maxToolIterations: number;
  /** Tokens of one reply, thinking included. */
  readonly maxReplyTokens: number;
  /** Everything the model can process at once, its reply included. */
  readonly contextTokens: number;
  /** Pictures of one request, as base64. The service takes 32 MB in all. */
  readonly pictureBytes: number;
  /** A tool call that takes longer fails. The time in which a person decides doesn't count. */
  readonly toolTimeoutMs: number;
  /** Text of one tool result; the rest is cut. */
  readonly toolResultBytes: number;
  /** Attempts of one model call, the first one included. */
  readonly maxAttempts: number;
  /** The pause before the second attempt; it doubles from one to the next. */
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
  /** When the service asks for a longer wait, the turn fails instead. */
  readonly longestRetryAfterMs: number;
  /** A reply has stalled when nothing, not even a ping, arrives for this long. */
  readonly stallMs: number;
}

export const messagesApiLimits: MessagesApiLimits = {
  maxToolIterations: 20,
  maxReplyTokens: 16_000,
  contextTokens: 200_000,
  pictureBytes: 25 * 1024 * 1024,
  toolTimeoutMs: 120_000,
  toolResultBytes: 320 * 1024,
  maxAttempts: 4,
  firstPauseMs: 500,
  longestPauseMs: 8_000,
  longestRetryAfterMs: 60_000,
  stallMs: 120_000,
};
