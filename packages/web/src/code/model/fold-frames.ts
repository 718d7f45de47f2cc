// From messages to what the page shows. Pure. Live frames and lines of the transcript go through the same fold; the
// same message from both is taken once.
import { Draft } from './draft.ts';
import { readAssistant } from './from-assistant.ts';
import { readResult } from './from-result.ts';
import { eventOf, foldStreamEvent } from './from-stream-event.ts';
import { readSystem } from './from-system.ts';
import { readUser } from './from-user.ts';
import type { Item } from './items.ts';
import { type Frame, text } from './read.ts';
import { emptyTranscript, mainThread, type Transcript } from './transcript.ts';

/** Adds messages at the end. */
export function foldFrames(state: Transcript, frames: readonly Frame[]): Transcript {
  const draft = new Draft(state);
  for (const frame of frames) fold(draft, frame);
  return draft.finish();
}

/** Puts an older page before what is there. What is known of the session stays as the newer messages told it. */
export function foldOlder(state: Transcript, frames: readonly Frame[]): Transcript {
  return putBefore(state, frames, (draft, frame) => fold(draft, frame));
}

/** Puts what a subagent said, from its own transcript, before what is there of it. Its lines do not say whose they are. */
export function foldSubagent(state: Transcript, call: string, frames: readonly Frame[]): Transcript {
  return putBefore(state, frames, (draft, frame) => fold(draft, frame, call));
}

function putBefore(
  state: Transcript,
  frames: readonly Frame[],
  take: (draft: Draft, frame: Frame) => void,
): Transcript {
  const fresh = frames.filter((frame) => !state.seen.has(identityOf(frame)));
  if (fresh.length === 0) return state;
  const draft = new Draft(emptyTranscript);
  for (const frame of fresh) take(draft, frame);
  const older = draft.finish();
  const threads = new Map(state.threads);
  for (const [thread, items] of older.threads)
    threads.set(thread, [...items, ...(threads.get(thread) ?? [])]);
  return {
    ...state,
    threads,
    results: new Map([...older.results, ...state.results]),
    seen: new Set([...older.seen, ...state.seen]),
  };
}

/** Types that only keep the page informed; what they say is shown elsewhere or is of no use to a person. */
const quietTypes = new Set([
  'command_lifecycle',
  'tool_progress',
  'tool_use_summary',
  'auth_status',
  'prompt_suggestion',
  'keep_alive',
  'progress',
  'summary',
  'streamlined_text',
]);

function fold(draft: Draft, frame: Frame, thread = threadIdOf(draft, frame)): void {
  const event = eventOf(frame);
  if (event) {
    foldStreamEvent(draft, thread, event);
    return;
  }
  const type = text(frame['type']) ?? 'unknown';
  if (quietTypes.has(type) || !draft.admit(identityOf(frame))) return;
  for (const item of read(draft, thread, type, frame)) draft.add(thread, item);
}

function read(draft: Draft, thread: string, type: string, frame: Frame): readonly Item[] {
  switch (type) {
    case 'assistant':
      return readAssistant(draft, thread, frame);
    case 'user':
      return readUser(draft, frame);
    case 'system':
      return readSystem(draft, frame);
    case 'result':
      return readResult(draft, frame);
    default:
      return [{ kind: 'raw', type, ...commonOf(frame) }];
  }
}

/**
 * Live frames of a subagent name the call that started it. Older programs wrote a subagent's lines among the others
 * without saying whose they are: they belong to the last one that was started.
 */
function threadIdOf(draft: Draft, frame: Frame): string {
  const parent = text(frame['parent_tool_use_id']);
  if (parent !== undefined) return parent;
  if (frame['isSidechain'] !== true) return mainThread;
  const agent = draft.findLast(mainThread, (item) => item.kind === 'tool' && isAgent(item.name));
  return agent?.kind === 'tool' ? agent.id : 'sidechain';
}

function isAgent(tool: string): boolean {
  return tool === 'Task' || tool === 'Agent';
}

function identityOf(frame: Frame): string {
  return text(frame['uuid']) ?? JSON.stringify(frame);
}

function commonOf(frame: Frame): { key: string; at: string | undefined; raw: Frame } {
  return { key: identityOf(frame), at: text(frame['timestamp']), raw: frame };
}
