// The types of what the program writes to stdout and into transcripts. They name only the fields that readers use, but
// a body is always the whole parsed object. A test compares them with the types that the official SDK publishes.

export interface ContentBlock {
  readonly type: string;
  readonly text?: string;
  readonly thinking?: string;
  readonly id?: string;
  readonly name?: string;
  readonly input?: unknown;
  readonly tool_use_id?: string;
  readonly content?: unknown;
  readonly is_error?: boolean;
}

export interface Usage {
  readonly input_tokens?: number | null;
  readonly output_tokens?: number | null;
  readonly cache_creation_input_tokens?: number | null;
  readonly cache_read_input_tokens?: number | null;
}

/** Fields that every line may have: snake case on stdout, camel case in transcripts. */
export interface LineFields {
  readonly type: string;
  readonly uuid?: string;
  readonly session_id?: string;
  readonly sessionId?: string;
  readonly parent_tool_use_id?: string | null;
  readonly parentUuid?: string | null;
  readonly timestamp?: string;
  readonly isSidechain?: boolean;
  readonly isMeta?: boolean;
  readonly cwd?: string;
  readonly gitBranch?: string;
  readonly version?: string;
}

export interface UserBody extends LineFields {
  readonly type: 'user';
  readonly message: { readonly role: string; readonly content: string | readonly ContentBlock[] };
  readonly isSynthetic?: boolean;
  readonly isReplay?: boolean;
  readonly isCompactSummary?: boolean;
  /** What the program reports about a tool's result: snake case on stdout, camel case in transcripts. */
  readonly tool_use_result?: unknown;
  readonly toolUseResult?: unknown;
  /** Why a call didn't run or was stopped: on stdout with the id of each call, in transcripts as fields of the line. */
  readonly tool_result_meta?: unknown;
  readonly toolDenialKind?: unknown;
  readonly userFeedback?: unknown;
  readonly permissionDecision?: unknown;
}

export interface AssistantBody extends LineFields {
  readonly type: 'assistant';
  readonly message: {
    readonly id?: string;
    readonly role: string;
    readonly model?: string;
    readonly content: readonly ContentBlock[];
    readonly stop_reason?: string | null;
    readonly usage?: Usage;
  };
  readonly isApiErrorMessage?: boolean;
  /** The kind of the service's error that the message reports. */
  readonly error?: unknown;
}

export interface SystemInitBody extends LineFields {
  readonly type: 'system';
  readonly subtype: 'init';
  readonly session_id: string;
  readonly cwd: string;
  readonly model: string;
  readonly permissionMode?: string;
  readonly tools?: readonly string[];
  readonly slash_commands?: readonly string[];
  readonly mcp_servers?: readonly { readonly name: string; readonly status: string }[];
  readonly claude_code_version?: string;
}

export interface SystemBody extends LineFields {
  readonly type: 'system';
  readonly subtype?: string;
  readonly content?: unknown;
}

export interface ResultBody extends LineFields {
  readonly type: 'result';
  readonly subtype: string;
  readonly is_error?: boolean;
  readonly result?: string;
  readonly errors?: readonly string[];
  readonly duration_ms?: number;
  readonly duration_api_ms?: number;
  readonly num_turns?: number;
  readonly total_cost_usd?: number;
  readonly usage?: Usage;
  readonly modelUsage?: Readonly<Record<string, unknown>>;
  /** The answer in the shape of `json_schema`. */
  readonly structured_output?: unknown;
}

/** `tool_progress` on stdout, `progress` in transcripts of some versions. */
export interface ProgressBody extends LineFields {
  readonly type: 'progress' | 'tool_progress';
  readonly tool_use_id?: string;
  readonly tool_name?: string;
  readonly elapsed_time_seconds?: number;
  readonly data?: unknown;
}

/** One stream event of the Messages API, such as `content_block_delta`. */
export interface StreamEvent {
  readonly type: string;
  readonly index?: number;
  readonly message?: { readonly id?: string; readonly model?: string; readonly usage?: Usage };
  readonly content_block?: ContentBlock;
  readonly delta?: {
    readonly type?: string;
    readonly text?: string;
    readonly thinking?: string;
    readonly partial_json?: string;
    readonly stop_reason?: string | null;
  };
  readonly usage?: Usage;
  /** The service sends an object with `type` and `message`; other programs send just a text. */
  readonly error?: unknown;
}

export interface StreamEventBody extends LineFields {
  readonly type: 'stream_event';
  readonly event: StreamEvent;
}

/** A stream event at top level, without the wrapper. */
export type BareStreamEventBody = LineFields & StreamEvent;

export interface ControlRequestBody extends LineFields {
  readonly type: 'control_request';
  readonly request_id: string;
  readonly request: { readonly subtype: string };
}

export interface ControlResponseBody extends LineFields {
  readonly type: 'control_response';
  readonly response: {
    readonly subtype: string;
    readonly request_id: string;
    readonly response?: unknown;
    readonly error?: string;
  };
}

export interface ControlCancelBody extends LineFields {
  readonly type: 'control_cancel_request';
  readonly request_id: string;
}

export interface SummaryBody extends LineFields {
  readonly type: 'summary';
  readonly summary: string;
  readonly leafUuid?: string;
}

export interface CustomTitleBody extends LineFields {
  readonly type: 'custom-title';
  readonly customTitle: string;
}

export interface AiTitleBody extends LineFields {
  readonly type: 'ai-title';
  readonly aiTitle: string;
}

export interface TagBody extends LineFields {
  readonly type: 'tag';
  readonly tag: string;
}

export interface AgentNameBody extends LineFields {
  readonly type: 'agent-name';
  readonly agentName: string;
}

export interface QueueOperationBody extends LineFields {
  readonly type: 'queue-operation';
  readonly operation: string;
  readonly content?: unknown;
}

export interface FileHistorySnapshotBody extends LineFields {
  readonly type: 'file-history-snapshot';
  readonly messageId?: string;
  readonly snapshot?: unknown;
}

/** An unknown type, or a known type with an unexpected shape. */
export interface UnknownBody {
  readonly [key: string]: unknown;
}

/** Which body belongs to which kind of frame. */
export interface FrameBodies {
  readonly user: UserBody;
  readonly assistant: AssistantBody;
  readonly system_init: SystemInitBody;
  readonly system: SystemBody;
  readonly result: ResultBody;
  readonly progress: ProgressBody;
  readonly stream_event: StreamEventBody;
  readonly bare_stream_event: BareStreamEventBody;
  readonly control_request: ControlRequestBody;
  readonly control_response: ControlResponseBody;
  readonly control_cancel_request: ControlCancelBody;
  readonly summary: SummaryBody;
  readonly custom_title: CustomTitleBody;
  readonly ai_title: AiTitleBody;
  readonly tag: TagBody;
  readonly agent_name: AgentNameBody;
  readonly queue_operation: QueueOperationBody;
  readonly file_history_snapshot: FileHistorySnapshotBody;
  readonly unknown: UnknownBody;
}

export type FrameKind = keyof FrameBodies;
