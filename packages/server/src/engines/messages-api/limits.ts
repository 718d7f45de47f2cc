// The limits of the engine, each with its default.
export const messagesApiLimits = {
  /** Rounds of tool calls in one turn; after them the model must answer. */
  maxToolIterations: 20,
  /** Tokens of one reply, thinking included. */
  maxReplyTokens: 16_000,
  /** Everything the model can process at once, its reply included. */
  contextTokens: 200_000,
  /** Pictures of one request, as base64. The service takes 32 MB in all. */
  pictureBytes: 25 * 1024 * 1024,
  /** A tool call that takes longer fails. The time in which a person decides doesn't count. */
  toolTimeoutMs: 120_000,
  /** Text of one tool result; the rest is cut. */
  toolResultBytes: 320 * 1024,
  /** Attempts of one model call, the first one included. */
  maxAttempts: 4,
  /** The pause before the second attempt; it doubles from one to the next. */
  firstPauseMs: 500,
  longestPauseMs: 8_000,
  /** When the service asks for a longer wait, the turn fails instead. */
  longestRetryAfterMs: 60_000,
  /** A reply has stalled when nothing, not even a ping, arrives for this long. */
  stallMs: 120_000,
};

export type MessagesApiLimits = Readonly<typeof messagesApiLimits>;
