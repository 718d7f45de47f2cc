// The history of a session as pages show it, without the bytes of images and files, which pages fetch one by one.
import {
  addUsage,
  filesIn,
  noUsage,
  type PastEntry,
  type Prompt,
  promptText,
  type QueuedPrompt,
  type ShownPrompt,
  type ShownTurn,
  startOf,
  type Turn,
  type Usage,
} from '@parley/protocol';
import { isPrompt } from '../../../domain/past-prompt.ts';

export function toShownTurn({ prompt, sessionId: _session, key: _key, ...turn }: Turn): ShownTurn {
  return { ...turn, prompt: toShownPrompt(prompt) };
}

function toShownPrompt(prompt: Prompt): ShownPrompt {
  const files = filesIn(prompt);
  return {
    text: promptText(prompt),
    images: prompt.flatMap((part) => (part.type === 'image' ? [part.mediaType] : [])),
    ...(files.length > 0 && { files }),
  };
}

export function toShownQueue(queue: readonly QueuedPrompt[]) {
  return queue.map((queued) => ({ ...queued, prompt: toShownPrompt(queued.prompt) }));
}

/** Tokens and cost of all turns together. */
export function totalUsage(turns: readonly Turn[]): Usage {
  return turns.reduce((sum, { usage }) => addUsage(sum, usage), noUsage);
}

/**
 * Adds to the lines of a transcript what only Parley knows about its turns: who wrote the prompt, and how it ended. The end
 * comes before the next prompt, or last. If the lines of a turn continue on the next page, its end is there.
 */
export function withTurns(
  lines: readonly PastEntry[],
  turns: readonly Turn[],
  isNewest: boolean,
): PastEntry[] {
  const ended = turns.filter(({ endedAt }) => endedAt !== undefined);
  const byId = new Map(turns.map((turn) => [turn.id, turn]));
  let open = openAtStart(lines, ended);
  const entries: PastEntry[] = [];
  const close = () => {
    if (open) entries.push(...endEntries({ ...open, text: '' }));
    open = undefined;
  };
  for (const line of lines) {
    const { event, at } = line;
    const turn = event.type === 'frame' ? byId.get(event.uuid ?? '') : undefined;
    const started = turn?.endedAt === undefined ? undefined : turn;
    // A prompt within the turn's time steers it. Another one was written in a terminal.
    const isLater = isPrompt(line) && (at ?? 0) > (open?.endedAt ?? 0);
    if (started || isLater) close();
    open = started ?? open;
    entries.push(turn?.author === undefined ? line : { ...line, author: turn.author });
  }
  if (isNewest) close();
  return entries;
}

/** The turn whose first lines are on the page before this one. */
function openAtStart(lines: readonly PastEntry[], ended: readonly Turn[]): Turn | undefined {
  const [first] = lines;
  const at = first?.at ?? undefined;
  if (first === undefined || at === undefined) return undefined;
  const here = new Set(lines.map(({ event }) => (event.type === 'frame' ? event.uuid : undefined)));
  const turn = ended.findLast(({ id, startedAt = at }) => startedAt < at && !here.has(id));
  return turn && (isPrompt(first) || at <= (turn.endedAt ?? 0)) ? turn : undefined;
}

/** A turn as it was stored. Images and files are left empty: `…/turns/:turnId/images/:index` and `files/:index` have them. */
export function toTurnEntries(turn: Turn): PastEntry[] {
  const { id: turnId, text, startedAt = turn.queuedAt, endedAt } = turn;
  const prompt = turn.prompt.map((part) => (part.type === 'text' ? part : { ...part, data: '' }));
  const entries: PastEntry[] = [{ at: startedAt, turnId, event: startOf({ ...turn, prompt }) }];
  const at = endedAt ?? startedAt;
  if (text !== '') {
    const content = [{ type: 'text', text }];
    entries.push({ at, turnId, event: { type: 'message', role: 'assistant', content } });
  }
  return [...entries, ...endEntries(turn)];
}

function endEntries(turn: Turn): PastEntry[] {
  const { id: turnId, status: outcome, text, usage, error, startedAt = turn.queuedAt, endedAt } = turn;
  if (outcome !== 'completed' && outcome !== 'failed' && outcome !== 'interrupted') return [];
  const at = endedAt ?? startedAt;
  const durationMs = at - startedAt;
  const problem = error && { error: { ...error, recoverable: true } };
  return [{ at, turnId, event: { type: 'turn.ended', outcome, text, usage, durationMs, ...problem } }];
}
