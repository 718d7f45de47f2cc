// The port of a tool source: something that offers tools to the messages-api engine.
import type {
  ContentBlock,
  Decision,
  PermissionRequest,
  PersonName,
  SessionId,
  TurnEvent,
} from '@parley/protocol';

/** What a tool may show the person while it runs. */
export type ToolEvent = Extract<TurnEvent, { type: 'artifact' | 'notice' }>;

export interface ToolContext {
  readonly person: PersonName;
  readonly sessionId: SessionId;
  readonly signal: AbortSignal;
  /** The person's last prompt; it is the n-th of the session. */
  readonly prompt?: { readonly text: string; readonly number: number };
  /** Names of all tools that were called in this session so far, including this turn; absent when not all are known. */
  readonly usedTools?: ReadonlySet<string>;
  /** False when nobody can answer while the turn runs, so that asking would never return. */
  readonly canAsk?: boolean;
  /** Resolves when the event was published. */
  emit(event: ToolEvent): Promise<void>;
  progress(message: string): void;
  askPermission(request: PermissionRequest): Promise<Decision>;
}

export interface ToolResult {
  /** Text, or blocks of the Messages API (`text`, `image`). */
  readonly content: string | readonly ContentBlock[];
  /** The content then says what went wrong. */
  readonly failed?: boolean;
}

export interface Tool {
  readonly name: string;
  readonly description: string;
  /** For a tool that may take longer than the usual limit. */
  readonly timeoutMs?: number | undefined;
  /** JSON Schema of the input; the engine checks the input before `run`. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** A thrown ParleyError becomes a failed result with its message; any other error is a bug. */
  run(input: Readonly<Record<string, unknown>>, context: ToolContext): Promise<ToolResult>;
}

/** A tool that the model's service runs itself. Its calls and results are part of the reply. */
export interface ServerTool {
  readonly name: string;
  /** The entry in the request's list of tools. */
  readonly definition: Readonly<Record<string, unknown>> & { readonly type: string };
}

export interface ToolSource {
  readonly name: string;
  /** The current tools; a source that cannot be reached offers none and reports that in its state. */
  tools(): Promise<readonly Tool[]>;
  readonly serverTools?: readonly ServerTool[];
  close(): Promise<void>;
}
