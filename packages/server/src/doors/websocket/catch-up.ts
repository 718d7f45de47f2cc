// What a new page gets before it goes live: the last lines of the transcript, then the frames of the newest turn
// that are not among them. Lines and frames are the same message when they have the same uuid.
import { type FrameHead, frameHead } from './frame-head.ts';
import type { LoggedMessage } from './message-log.ts';

export interface CatchUp {
  readonly frames: readonly Buffer[];
  readonly seam: Seam;
}

export function catchUp(lines: readonly string[], recent: readonly LoggedMessage[]): CatchUp {
  const seam = new Seam(lines);
  const frames = recent.flatMap(({ isFrame, parts }) =>
    isFrame ? parts.map((bytes) => ({ bytes, head: frameHead(bytes.toString()) })) : [],
  );
  const isStale = staleness(frames.map(({ head }) => head));
  return {
    frames: frames
      .filter(({ head }, index) => !seam.isDouble(head) && !isStale(index))
      .map(({ bytes }) => bytes),
    seam,
  };
}

/**
 * Knows which frames a page already has as lines. The program may write a line before the frame has come through,
 * so that live frames have to be looked at too, until the first one that is newer than all lines.
 */
export class Seam {
  readonly #uuids: Set<unknown>;

  constructor(lines: readonly string[]) {
    this.#uuids = new Set(lines.map((line) => frameHead(line).uuid).filter((uuid) => uuid !== undefined));
  }

  /** Nothing has to be looked at any more. */
  get isClosed(): boolean {
    return this.#uuids.size === 0;
  }

  isDouble(head: FrameHead): boolean {
    if (this.#uuids.has(head.uuid)) return true;
    const isKept = head.type === 'user' || head.type === 'assistant';
    // Only what the main thread says is in the transcript, in the order in which it is said.
    if (isKept && typeof head.parent_tool_use_id !== 'string') this.#uuids.clear();
    return false;
  }
}

/** Pieces of a message that has come in whole since are of no use to a page that begins now. */
function staleness(heads: readonly FrameHead[]): (index: number) => boolean {
  /** Where the message that each thread is writing begins. */
  const begun = new Map<unknown, number>();
  for (const [index, { type, event, parent_tool_use_id: thread }] of heads.entries()) {
    if (type !== 'stream_event') continue;
    if (event?.type === 'message_start') begun.set(thread, index);
    if (event?.type === 'message_stop') begun.delete(thread);
  }
  return (index) => {
    const head = heads[index];
    if (head?.type !== 'stream_event') return false;
    const start = begun.get(head.parent_tool_use_id);
    return start === undefined || index < start;
  };
}
