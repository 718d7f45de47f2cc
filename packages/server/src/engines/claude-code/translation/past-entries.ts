// Lines of a transcript as events with what they mean. Pure.
import { type Frame, isSidechain } from '@parley/claude-cli';
import type { Meaning, PastEntry } from '@parley/protocol';
import { initialEventState, toEvents } from './to-events.ts';

/** The lines of a subagent's own transcript do not say whose they are: `subagent` does. */
export function pastEntries(frames: readonly Frame[], subagent?: string): PastEntry[] {
  let state = initialEventState();
  return frames.map((frame): PastEntry => {
    const { events, state: next } = toEvents(frame, state);
    state = next;
    const means = events.filter(
      (event): event is Meaning => event.type !== 'frame' && event.type !== 'failed',
    );
    const thread = subagent ?? (isSidechain(frame) ? 'sidechain' : undefined);
    return {
      at: timeOf(frame),
      event: {
        type: 'frame',
        raw: frame.text,
        ...(frame.uuid !== undefined && { uuid: frame.uuid }),
        ...(thread !== undefined && { subagent: thread }),
        means,
      },
    };
  });
}

function timeOf({ body }: Frame): number | null {
  const time = Date.parse(String((body as { timestamp?: unknown }).timestamp));
  return Number.isNaN(time) ? null : time;
}
