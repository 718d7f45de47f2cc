// What a session reports to its readers: five types of events, independent of the program's version.

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
  /** Set if a subagent says it: the tool call that runs the subagent. */
  readonly parentToolUseId: string | undefined;
}

export interface TokenCounts {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheCreationTokens: number;
}

/** `message`: the tokens of one model message, reported once. `turn`: totals of a whole turn, as the program counts. */
export type MetricEvent =
  | ({
      readonly type: 'metric';
      readonly scope: 'message';
      readonly messageId: string | undefined;
    } & TokenCounts)
  | ({
      readonly type: 'metric';
      readonly scope: 'turn';
      /** The cost of this turn, and of the conversation including it. */
      readonly costUsd: number;
      readonly totalCostUsd: number;
      readonly durationMs: number | undefined;
      readonly apiDurationMs: number | undefined;
      /** The model that answered last; empty if the program has not named one. */
      readonly model: string;
      readonly modelTurns: number | undefined;
    } & TokenCounts);

export interface ErrorEvent {
  readonly type: 'error';
  readonly code: ClaudeCliErrorCode | 'turn_failed';
  readonly message: string;
  /** Whether it ends the session. */
  readonly fatal: boolean;
  /** The service's own name for the error, such as `overloaded_error`. */
  readonly errorType?: string;
}

/** A task of the program's task list. */
export interface Task {
  readonly text: string;
  readonly status: 'pending' | 'in_progress' | 'completed';
  /** What to show while it is in progress, where the program says so. */
  readonly activeForm?: string;
}

/** A slash command that the program offers. */
export interface Command {
  /** Without the slash. */
  readonly name: string;
  readonly description?: string;
  /** What may follow it, such as `<file>`. */
  readonly hint?: string;
}

export type MetadataEvent = { readonly type: 'metadata' } & (
  | {
      readonly kind: 'session';
      readonly sessionId: string;
      readonly model: string;
      readonly workingDir: string;
      readonly permissionMode: string | undefined;
      readonly tools: readonly string[];
      readonly commands: readonly Command[];
      readonly version: string | undefined;
    }
  /** One of these changed. */
  | { readonly kind: 'settings'; readonly permissionMode?: string; readonly commands?: readonly Command[] }
  /** What somebody said, as content blocks. One message may take several of these events. */
  | {
      readonly kind: 'message';
      readonly role: 'user' | 'assistant';
      readonly content: readonly ContentBlock[];
      readonly messageId: string | undefined;
      readonly parentToolUseId: string | undefined;
    }
  /** Sent twice if the model streams: when the call starts, and `complete` when its input is complete. */
  | {
      readonly kind: 'tool_use';
      readonly id: string | undefined;
      readonly name: string;
      readonly input: unknown;
      readonly complete: boolean;
      readonly parentToolUseId: string | undefined;
    }
  /** A piece of a call's input, as JSON. */
  | {
      readonly kind: 'tool_input';
      readonly id: string | undefined;
      readonly name: string;
      readonly json: string;
      readonly parentToolUseId: string | undefined;
    }
  | {
      readonly kind: 'tool_progress';
      readonly toolUseId: string;
      readonly name: string;
      readonly seconds: number;
    }
  | {
      readonly kind: 'tool_result';
      readonly toolUseId: string | undefined;
      /** Empty if the call was not seen. */
      readonly name: string;
      readonly isError: boolean;
      /** Somebody or a rule refused the call. */
      readonly isDenied: boolean;
      /** Why it was refused, if anybody said. */
      readonly reason: string | undefined;
      /** It was stopped with its turn, or before anybody decided on it. */
      readonly isStopped: boolean;
      readonly content: ContentBlock['content'];
      /** What the program reports but the model does not read, such as the patch of an edit. Without large fields. */
      readonly details: Readonly<Record<string, unknown>> | undefined;
      readonly parentToolUseId: string | undefined;
    }
  /** The whole task list. */
  | { readonly kind: 'tasks'; readonly tasks: readonly Task[] }
  /** How much the model read for its last answer, and how much it can read. */
  | {
      readonly kind: 'context';
      readonly model?: string;
      readonly tokens?: number;
      readonly window?: number;
    }
  /** Something that a person should know: an interruption, a retry, the output of a command. */
  | {
      readonly kind: 'announcement';
      readonly code: AnnouncementCode;
      readonly text: string;
      readonly tone: 'plain' | 'warn' | 'danger';
      readonly detail: string | undefined;
    }
  /** What became of an input: `queued`, `started`, or how it ended. */
  | { readonly kind: 'input_state'; readonly uuid: string; readonly state: string }
  | {
      readonly kind: 'turn_ended';
      /** In the program's words: `success`, or which error. */
      readonly outcome: string;
      readonly isError: boolean;
      /** Somebody stopped the turn. */
      readonly interrupted: boolean;
      readonly text: string | undefined;
      /** The answer in the shape of `json_schema`, if one was requested and returned. */
      readonly structuredOutput?: unknown;
      readonly sessionId: string | undefined;
    }
  | {
      readonly kind: 'budget_warning';
      readonly percent: number;
      readonly spentUsd: number;
      readonly limitUsd: number;
    }
  /** Something could not be read or used; the stream continues. */
  | { readonly kind: 'warning'; readonly reason: string; readonly message: string }
  /** A frame that has no event type here: its own type and subtype. */
  | {
      readonly kind: 'notice';
      readonly frameType: string;
      readonly subtype: string | undefined;
      /** False for a frame that this version knows nothing about. */
      readonly isKnown: boolean;
    }
);

export type AnnouncementCode =
  | 'api-error'
  | 'command-output'
  | 'compacted'
  | 'interrupted'
  /** The program tries again and again, but the service does not accept its key or login. */
  | 'login-refused'
  | 'program'
  | 'rate-limited'
  | 'retrying'
  | 'summarized'
  | 'task'
  | 'tool-denied';

export type ClaudeEvent = StatusChangeEvent | OutputEvent | MetadataEvent | MetricEvent | ErrorEvent;
