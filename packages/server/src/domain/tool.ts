// The port of a tool source: something that offers tools to the messages-api engine.
import type {
  ContentBlock,
  Decision,
  PermissionRequest,
  PersonName,
  SessionId,
  TurnEvent,
} from '@parley/protocol';

/** What a tool may tell the person while it runs. */
export type ToolEvent = Extract<TurnEvent, { type: 'artifact' | 'notice' }>;

export interface ToolContext {
  readonly person: PersonName;
  readonly sessionId: SessionId;
  readonly signal: AbortSignal;
  /** What the person said last, and the how-manieth prompt of the session it is. */
  readonly prompt?: { readonly text: string; readonly number: number };
  /** Names of the tools that were called in this session so far, those of this turn included, where all are known. */
  readonly usedTools?: ReadonlySet<string>;
  /** False where nobody can answer while the turn runs, so that asking would wait for ever. */
  readonly canAsk?: boolean;
  /** Resolves once the event is on its way to every door that watches. */
  emit(event: ToolEvent): Promise<void>;
  progress(message: string): void;
  askPermission(request: PermissionRequest): Promise<Decision>;
}

export interface ToolResult {
  /** Text, or blocks of the Messages API (`text`, `image`) where a tool has more to show. */
  readonly content: string | readonly ContentBlock[];
  /** The model reads the content as the sentence that says what went wrong. */
  readonly failed?: boolean;
}

export interface Tool {
  readonly name: string;
  readonly description: string;
  /** For a tool that may take longer than others do. */
  readonly timeoutMs?: number | undefined;
  /** JSON Schema of the input; the engine refuses input that does not fit before `run` sees it. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** A thrown ParleyError becomes a failed result with its message; anything else is a defect. */
  run(input: Readonly<Record<string, unknown>>, context: ToolContext): Promise<ToolResult>;
}

/** A tool that the model's own service runs. Its calls and results come within the reply. */
export interface ServerTool {
  readonly name: string;
  /** The entry in the request's list of tools, as the service wants it. */
  readonly definition: Readonly<Record<string, unknown>> & { readonly type: string };
}

export interface ToolSource {
  readonly name: string;
  /** The tools on offer now; a source that cannot be reached offers none and says so in its own state. */
  tools(): Promise<readonly Tool[]>;
  readonly serverTools?: readonly ServerTool[];
  close(): Promise<void>;
}
