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

/** What a tool's result brings into the turn: text that strangers wrote, or what belongs to the person. */
export type Reading = 'outside' | 'private';

/** What a call would do, in a few words in `what`. Once the turn has read something, the call may need a permission. */
export type Risk =
  /** Sends a request to an address that the model chose. */
  | { readonly kind: 'reach'; readonly what: string; readonly url: string }
  /** Sends something to a service that the configuration names. */
  | { readonly kind: 'send'; readonly what: string }
  /** Overwrites or deletes something. */
  | { readonly kind: 'change'; readonly what: string };

export interface ToolContext {
  readonly person: PersonName;
  readonly sessionId: SessionId;
  readonly signal: AbortSignal;
  /** The person's last prompt; it is the n-th of the session. */
  readonly prompt?: { readonly text: string; readonly number: number };
  /** False when nobody can answer while the turn runs, so that asking would never return. */
  readonly canAsk?: boolean;
  /** Whether text from strangers may be in this conversation; also true when not all of it is known. */
  readonly hasReadOutside?: boolean;
  /** Whether the turn may send a request there without asking; everywhere if absent. */
  mayReach?(url: URL): boolean;
  /** Resolves when the event was published. */
  emit(event: ToolEvent): Promise<void>;
  progress(message: string): void;
  askPermission(request: PermissionRequest): Promise<Decision>;
}

export interface ToolResult {
  /** Text, or blocks of the Messages API (`text`, `image`). */
  readonly content: string | readonly ContentBlock[];
  /** If so, the content says what went wrong. */
  readonly failed?: boolean;
  /** Addresses that a search returned: fetching one as it is reveals nothing. */
  readonly addresses?: readonly string[];
}

export interface Tool {
  readonly name: string;
  /** Its name before it was renamed because of a clash. Prompts may still use it. */
  readonly formerName?: string | undefined;
  readonly description: string;
  /** For a tool that may take longer than the usual limit. */
  readonly timeoutMs?: number | undefined;
  /** JSON Schema of the input; the engine checks the input before `run`. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly reads?: Reading | undefined;
  /** Absent if it neither sends nor changes anything. Throws like `run`. */
  risk?(
    input: Readonly<Record<string, unknown>>,
    context: Pick<ToolContext, 'person' | 'signal'>,
  ): Promise<Risk | undefined>;
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
  /** For a source that can be replaced: keeps it and its tools usable until the returned function is called. */
  hold?(): () => void;
  close(): Promise<void>;
}
