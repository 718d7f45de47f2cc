// Folds the events of a stream into a message. Pure: each event returns the next state, so the state always shows what the
// model has said so far.
import type { ContentBlock } from '@parley/protocol';

/** An event of the stream. Unknown types and fields are allowed and ignored. */
export interface StreamEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

export interface TokenCounts {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

export interface MessageState {
  readonly model: string;
  /** Complete blocks, as the model wrote them. */
  readonly blocks: readonly ContentBlock[];
  readonly open: OpenBlock | undefined;
  /** Ids of tool calls whose input was not valid JSON; their stored input is empty. */
  readonly brokenCalls: readonly string[];
  readonly stopReason: string | undefined;
  /** Undefined until the service reports them. */
  readonly tokens: TokenCounts | undefined;
  readonly isComplete: boolean;
}

interface OpenBlock {
  readonly start: ContentBlock;
  /** The text, the thinking, or the JSON of the input so far. */
  readonly text: string;
  readonly signature: string;
  readonly citations: readonly unknown[];
}

export const emptyMessage: MessageState = {
  model: '',
  blocks: [],
  open: undefined,
  brokenCalls: [],
  stopReason: undefined,
  tokens: undefined,
  isComplete: false,
};

export function foldMessage(state: MessageState, event: StreamEvent): MessageState {
  switch (event.type) {
    case 'content_block_delta':
      return foldDelta(state, event['delta'] as StreamEvent);
    case 'content_block_start':
      return {
        ...closeBlock(state),
        open: { start: event['content_block'] as ContentBlock, text: '', signature: '', citations: [] },
      };
    case 'content_block_stop':
      return closeBlock(state);
    case 'message_start': {
      const message = event['message'] as { model?: string; usage?: WireUsage };
      return { ...state, model: message.model ?? '', tokens: countTokens(undefined, message.usage) };
    }
    case 'message_delta': {
      const delta = event['delta'] as { stop_reason?: string | null };
      return {
        ...state,
        stopReason: delta.stop_reason ?? state.stopReason,
        tokens: countTokens(state.tokens, event['usage'] as WireUsage | undefined),
      };
    }
    case 'message_stop':
      return { ...closeBlock(state), isComplete: true };
    default:
      return state;
  }
}

/** The texts of a message that broke off: the parts that can be stored without the rest. */
export function saidSoFar(state: MessageState): readonly ContentBlock[] {
  return closeBlock(state).blocks.filter(
    (block) => block.type === 'text' && typeof block['text'] === 'string' && block['text'].trim() !== '',
  );
}

interface WireUsage {
  readonly input_tokens?: number | null;
  readonly output_tokens?: number | null;
  readonly cache_read_input_tokens?: number | null;
  readonly cache_creation_input_tokens?: number | null;
}

function foldDelta(state: MessageState, delta: StreamEvent): MessageState {
  const { open } = state;
  if (open === undefined) return state;
  switch (delta.type) {
    case 'text_delta':
      return { ...state, open: { ...open, text: open.text + String(delta['text']) } };
    case 'thinking_delta':
      return { ...state, open: { ...open, text: open.text + String(delta['thinking']) } };
    case 'input_json_delta':
      return { ...state, open: { ...open, text: open.text + String(delta['partial_json']) } };
    case 'signature_delta':
      return { ...state, open: { ...open, signature: open.signature + String(delta['signature']) } };
    case 'citations_delta':
      return { ...state, open: { ...open, citations: [...open.citations, delta['citation']] } };
    default:
      return state;
  }
}

function closeBlock(state: MessageState): MessageState {
  const { open } = state;
  if (open === undefined) return state;
  const { start, text } = open;
  const closed = (block: ContentBlock, brokenCalls = state.brokenCalls): MessageState => ({
    ...state,
    open: undefined,
    blocks: [...state.blocks, block],
    brokenCalls,
  });
  switch (start.type) {
    case 'text': {
      const whole = { ...start, text: stringOf(start['text']) + text };
      return closed(open.citations.length === 0 ? whole : { ...whole, citations: open.citations });
    }
    case 'thinking':
      return closed({
        ...start,
        thinking: stringOf(start['thinking']) + text,
        signature: stringOf(start['signature']) + open.signature,
      });
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use': {
      if (text === '') return closed(start);
      const input = parseInput(text);
      if (input !== undefined) return closed({ ...start, input });
      return closed({ ...start, input: {} }, [...state.brokenCalls, stringOf(start['id'])]);
    }
    default:
      return closed(start);
  }
}

function parseInput(json: string): object | undefined {
  try {
    const input: unknown = JSON.parse(json);
    return typeof input === 'object' && input !== null && !Array.isArray(input) ? input : undefined;
  } catch {
    return undefined;
  }
}

/** Later counts replace earlier ones: the service reports running totals. */
function countTokens(known: TokenCounts | undefined, usage: WireUsage | undefined): TokenCounts | undefined {
  if (usage === undefined) return known;
  return {
    input: usage.input_tokens ?? known?.input ?? 0,
    output: usage.output_tokens ?? known?.output ?? 0,
    cacheRead: usage.cache_read_input_tokens ?? known?.cacheRead ?? 0,
    cacheWrite: usage.cache_creation_input_tokens ?? known?.cacheWrite ?? 0,
  };
}

function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
