// What a session tells its readers: five types of events, whatever version of the program is behind them.

import type { ClaudeCliErrorCode } from '../errors.ts';
import type { ContentBlock } from '../frames/bodies.ts';
import type { SessionState } from '../session-state.ts';

export interface StatusChangeEvent {
  readonly type: 'status_change';
  readonly from: SessionState;
  readonly to: SessionState;
  readonly reason?: string;
}

/** A piece of what the model says. The pieces of one message, joined, are its text. */
export interface OutputEvent {
  readonly type: 'output';
  readonly channel: 'text' | 'thinking';
  readonly text: string;
  readonly messageId: string | undefined;
  /** Set when a subagent says it: the tool call that runs the subagent. */
  readonly parentToolUseId: string | undefined;
}

export interface TokenCounts {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheCreationTokens: number;
}

/** `message`: the use of one model message, given once. `turn`: totals of a whole turn, as the program counts. */
export type MetricEvent =
  | ({
      readonly type: 'metric';
      readonly scope: 'message';
      readonly messageId: string | undefined;
    } & TokenCounts)
  | ({
      readonly type: 'metric';
      readonly scope: 'turn';
      /** What this turn cost, and what the conversation cost with it. */
      readonly costUsd: number;
      readonly totalCostUsd: number;
      readonly durationMs: number | undefined;
      readonly apiDurationMs: number | undefined;
      readonly modelTurns: number | undefined;
    } & TokenCounts);

export interface ErrorEvent {
  readonly type: 'error';
  /** `turn_failed` and `model_error` leave the session running; all others end it. */
  readonly code: ClaudeCliErrorCode | 'turn_failed' | 'model_error';
  readonly message: string;
  readonly fatal: boolean;
}

export type MetadataEvent = { readonly type: 'metadata' } & (
  | {
      readonly kind: 'session';
      readonly sessionId: string;
      readonly model: string;
      readonly workingDir: string;
      readonly permissionMode: string | undefined;
      readonly tools: readonly string[];
      readonly version: string | undefined;
    }
  /** Comes twice where the model streams: when the call begins, and `complete` when its input is whole. */
  | {
      readonly kind: 'tool_use';
      readonly id: string | undefined;
      readonly name: string;
      readonly input: unknown;
      readonly complete: boolean;
      readonly parentToolUseId: string | undefined;
    }
  | {
      readonly kind: 'tool_result';
      readonly toolUseId: string | undefined;
      readonly isError: boolean;
      readonly content: ContentBlock['content'];
      readonly parentToolUseId: string | undefined;
    }
  | {
      readonly kind: 'turn_ended';
      /** As the program says it: `success`, or which error. */
      readonly outcome: string;
      readonly isError: boolean;
      /** Somebody stopped the turn. */
      readonly interrupted: boolean;
      readonly text: string | undefined;
      readonly sessionId: string | undefined;
    }
  | {
      readonly kind: 'budget_warning';
      readonly percent: number;
      readonly spentUsd: number;
      readonly limitUsd: number;
    }
  /** Something could not be read or used; the stream goes on. */
  | { readonly kind: 'warning'; readonly reason: string; readonly message: string }
  /** A frame without a translation of its own: the frame's type and subtype. */
  | { readonly kind: 'notice'; readonly frameType: string; readonly subtype: string | undefined }
);

export type ClaudeEvent = StatusChangeEvent | OutputEvent | MetadataEvent | MetricEvent | ErrorEvent;
