// What the translation remembers about earlier frames, and functions that update it.
import { dropOldest } from '../drop-oldest.ts';
import type { Usage } from '../frames/bodies.ts';
import { type Frame, streamEventOf } from '../frames/frame.ts';
import type { ClaudeEvent, Command } from './event.ts';
import { noTasks, type TaskState } from './tasks.ts';

export interface TranslationState {
  readonly status: 'starting' | 'running' | 'stopped' | 'error';
  /** The messages whose streams are open, by the tool call that they belong to ('' for the main thread). */
  readonly open: Readonly<Record<string, OpenMessage>>;
  /** Messages that were reported piece by piece, newest last. */
  readonly streamed: readonly string[];
  /** Messages whose token use was reported, newest last. */
  readonly counted: readonly string[];
  /**
   * The cost of the conversation that the program last reported. A process that continues a conversation starts with
   * what it cost before, see readSpentUsd; Infinity if that is unknown.
   */
  readonly totalCostUsd: number;
  /** The conversation of the last result. */
  readonly sessionId?: string | undefined;
  /** The model that answered last; empty if none was named. */
  readonly model: string;
  /** Names of the tools that were called and have no result yet, by the id of the call. */
  readonly calls: ReadonlyMap<string, string>;
  /** The main thread's newest call of a tool that runs a subagent. */
  readonly lastAgent?: string | undefined;
  readonly commands: readonly Command[];
  readonly tasks: TaskState;
  /** The program announced that somebody interrupted the turn. */
  readonly isInterrupted: boolean;
}

export interface OpenMessage {
  readonly messageId: string | undefined;
  readonly usage: Usage;
  readonly stopReason?: string;
  /** The tool calls that are being written, by the index of their block. */
  readonly calls?: Readonly<Record<number, { readonly id: string | undefined; readonly name: string }>>;
}

export interface Translation {
  readonly events: readonly ClaudeEvent[];
  readonly state: TranslationState;
}

export const initialTranslationState: TranslationState = {
  status: 'starting',
  open: {},
  streamed: [],
  counted: [],
  totalCostUsd: 0,
  model: '',
  calls: new Map(),
  commands: [],
  tasks: noTasks,
  isInterrupted: false,
};

/** Frames of one message are close together, even if subagents write at the same time. */
const REMEMBERED_MESSAGES = 32;
/** The calls of an interrupted turn may never get a result. */
const REMEMBERED_CALLS = 512;

export function remember(ids: readonly string[], id: string): readonly string[] {
  return [...ids.filter((known) => known !== id), id].slice(-REMEMBERED_MESSAGES);
}

export function withCall(state: TranslationState, id: string, name: string): TranslationState {
  const calls = new Map(state.calls).set(id, name);
  dropOldest(calls, REMEMBERED_CALLS);
  return { ...state, calls };
}

export function withoutCall(state: TranslationState, id: string): TranslationState {
  if (!state.calls.has(id)) return state;
  const calls = new Map(state.calls);
  calls.delete(id);
  return { ...state, calls };
}

export function withRunning(state: TranslationState, events: readonly ClaudeEvent[] = []): Translation {
  if (state.status !== 'starting') return { events, state };
  return {
    events: [{ type: 'status_change', from: 'starting', to: 'running' }, ...events],
    state: { ...state, status: 'running' },
  };
}

/** The tool call that runs the frame's subagent, if the frame names it. */
export function parentOf(frame: Frame): string | undefined {
  const parent = (frame.body as { parent_tool_use_id?: unknown }).parent_tool_use_id;
  return typeof parent === 'string' ? parent : undefined;
}

/**
 * The tool call that runs the frame's subagent; undefined for the main thread. Older programs wrote a subagent's lines
 * among the others without naming the call: they belong to the last one.
 */
export function subagentOf(frame: Frame, state: TranslationState): string | undefined {
  const parent = parentOf(frame);
  if (parent !== undefined) return parent;
  const { isSidechain } = frame.body as { isSidechain?: unknown };
  return isSidechain === true ? (state.lastAgent ?? 'sidechain') : undefined;
}

/** A frame's place in the stream of a message; undefined for a frame that is not part of one. */
export function streamPositionOf(frame: Frame): 'first' | 'middle' | 'last' | undefined {
  const event = streamEventOf(frame);
  if (!event) return undefined;
  if (event.type === 'message_start') return 'first';
  return event.type === 'message_stop' ? 'last' : 'middle';
}
