// The part of Anthropic's Messages API that is supported here. Requests are read loosely: clients send more fields than
// these, and the parsed body keeps them.

type TextBlock = { type: 'text'; text: string; cache_control?: unknown };
export type ImageBlock = {
  type: 'image';
  source: { type: string; media_type?: string; data?: string; url?: string };
};
export type DocumentBlock = {
  type: 'document';
  title?: string | null;
  source: { type: string; media_type?: string; data?: string };
};
type ToolUseBlock = { type: 'tool_use'; id: string; name: string; input: Record<string, unknown> };
export type ToolResultBlock = {
  type: 'tool_result';
  tool_use_id: string;
  content?: string | readonly ContentBlock[];
  is_error?: boolean;
};
type ThinkingBlock = { type: 'thinking'; thinking: string; signature: string };
type ToolReferenceBlock = { type: 'tool_reference'; tool_name: string };
export type ContentBlock =
  | TextBlock
  | ImageBlock
  | DocumentBlock
  | ToolUseBlock
  | ToolResultBlock
  | ThinkingBlock
  | ToolReferenceBlock;

export type WireMessage = {
  role: 'user' | 'assistant' | 'system';
  content: string | readonly ContentBlock[];
  /** On a system message: the model answers with this effort from here on. */
  output_config?: { effort?: string | null } | null;
};

export type JsonSchema = {
  type?: string | readonly string[];
  properties?: Readonly<Record<string, JsonSchema>>;
  required?: readonly string[];
  items?: JsonSchema;
  enum?: readonly unknown[];
  description?: string;
};

/** Tools that Anthropic runs itself (web search, …) carry a dated `type` and no `input_schema`. */
export type WireTool = { name: string; type?: string; description?: string; input_schema?: JsonSchema };

export type MessagesBody = {
  model: string;
  max_tokens: number;
  messages: readonly WireMessage[];
  system?: string | readonly TextBlock[];
  tools?: readonly WireTool[];
  stream?: boolean;
  metadata?: { user_id?: string | null };
  output_config?: { format?: { type?: string; schema?: JsonSchema } | null };
};

export type StopReason =
  | 'end_turn'
  | 'tool_use'
  | 'max_tokens'
  | 'stop_sequence'
  | 'pause_turn'
  | 'refusal'
  | 'model_context_window_exceeded';

export type Usage = {
  input_tokens: number;
  output_tokens: number;
  cache_creation_input_tokens: number;
  cache_read_input_tokens: number;
};

export type ErrorType =
  | 'invalid_request_error'
  | 'authentication_error'
  | 'permission_error'
  | 'not_found_error'
  | 'request_too_large'
  | 'rate_limit_error'
  | 'api_error'
  | 'overloaded_error';

/** One server-sent event of a stream, or an error body. */
export type WireEvent = { readonly type: string; readonly [field: string]: unknown };
