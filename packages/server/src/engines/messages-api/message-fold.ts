// Folds the events of a stream into a message. Pure: each event returns the next state, so the state always shows what the
// model has said so far. Keeps it up to a limit; what doesn't fit is left out.
import type { ContentBlock } from '@parley/protocol';
import { isRecord } from '../../basics/is-record.ts';
import { keptText, maxKeptText } from '../../content/kept-text.ts';
import { parseJson } from '../../content/parse-json.ts';
import { countTokens, type TokenCounts, type WireUsage } from '../../domain/prices.ts';

/** An event of the stream. Unknown types and fields are allowed and ignored. */
export interface StreamEvent {
  readonly type: string;
  readonly [field: string]: unknown;
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
  /** Characters in its blocks. */
  readonly size: number;
}

interface OpenBlock {
  readonly start: ContentBlock;
  /** The text, the thinking, or the JSON of the input so far. */
  readonly text: string;
  readonly signature: string;
  readonly citations: readonly unknown[];
  /** Some of it did not fit. */
  readonly isCut: boolean;
}

export const emptyMessage: MessageState = {
  model: '',
  blocks: [],
  open: undefined,
  brokenCalls: [],
  stopReason: undefined,
  tokens: undefined,
  isComplete: false,
  size: 0,
};

export function foldMessage(state: MessageState, event: StreamEvent): MessageState {
  switch (event.type) {
    case 'content_block_delta':
      return foldDelta(state, event['delta'] as StreamEvent);
    case 'content_block_start':
      return openBlock(closeBlock(state), event['content_block'] as ContentBlock);
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

/** A rough estimate for what nobody counted. */
const lettersPerToken = 4;

/** The service counts the output at the end. If the message broke off, it is estimated from what was written. */
export function tokensOf({ tokens, isComplete, size, stopReason }: MessageState): TokenCounts | undefined {
  if (tokens === undefined || isComplete || stopReason !== undefined) return tokens;
  return { ...tokens, output: Math.max(tokens.output, Math.ceil(size / lettersPerToken)) };
}

/** The texts of a message that broke off: the parts that can be stored without the rest. */
export function saidSoFar(state: MessageState): readonly ContentBlock[] {
  return closeBlock(state).blocks.filter(
    (block) => block.type === 'text' && typeof block['text'] === 'string' && block['text'].trim() !== '',
  );
}

function openBlock(state: MessageState, start: ContentBlock): MessageState {
  const size = state.size + JSON.stringify(start).length;
  if (size > maxKeptText) return { ...state, size };
  return { ...state, size, open: { start, text: '', signature: '', citations: [], isCut: false } };
}

function foldDelta(state: MessageState, delta: StreamEvent): MessageState {
  const { open } = state;
  if (open === undefined) return state;
  switch (delta.type) {
    case 'text_delta':
      return addText(state, open, String(delta['text']));
    case 'thinking_delta':
      return addText(state, open, String(delta['thinking']));
    case 'input_json_delta':
      return addText(state, open, String(delta['partial_json']));
    case 'signature_delta': {
      const signature = String(delta['signature']);
      const size = state.size + signature.length;
      if (size > maxKeptText) return { ...state, open: { ...open, isCut: true } };
      return { ...state, size, open: { ...open, signature: open.signature + signature } };
    }
    case 'citations_delta': {
      const citation = delta['citation'];
      const size = state.size + (JSON.stringify(citation)?.length ?? 0);
      if (size > maxKeptText) return state;
      return { ...state, size, open: { ...open, citations: [...open.citations, citation] } };
    }
    default:
      return state;
  }
}

function addText(state: MessageState, open: OpenBlock, more: string): MessageState {
  const text = keptText(open.text, more, open.text.length + maxKeptText - state.size);
  const added = text.length - open.text.length;
  const isCut = open.isCut || added < more.length;
  return { ...state, size: state.size + added, open: { ...open, text, isCut } };
}

function closeBlock(state: MessageState): MessageState {
  const { open } = state;
  if (open === undefined) return state;
  const { start, text } = open;
  // The service refuses thinking that differs from what it signed.
  if (open.isCut && start.type === 'thinking') return { ...state, open: undefined };
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
  const input = parseJson(json);
  return isRecord(input) ? input : undefined;
}

function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
