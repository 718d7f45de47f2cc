// The history of a session as pages show it, without image bytes, which pages fetch one by one.
import {
  addUsage,
  noUsage,
  type PastEntry,
  type Prompt,
  promptText,
  type ShownPrompt,
  type ShownTurn,
  type Turn,
  type Usage,
} from '@parley/protocol';
import { isPrompt } from '../../../domain/past-prompt.ts';

export function toShownTurn({ prompt, sessionId: _session, key: _key, ...turn }: Turn): ShownTurn {
  return { ...turn, prompt: toShownPrompt(prompt) };
}

export function toShownPrompt(prompt: Prompt): ShownPrompt {
  return { text: promptText(prompt), images: imagesOf(prompt).map(({ mediaType }) => mediaType) };
}

export function imagesOf(prompt: Prompt) {
  return prompt.filter((part) => part.type === 'image');
}

/** Tokens and cost of all turns together. */
export function totalUsage(turns: readonly Turn[]): Usage {
  return turns.reduce((sum, { usage }) => addUsage(sum, usage), noUsage);
}

/**
 * Puts the ends of turns between the lines of a transcript, which has none: each before the next prompt, or at the end.
 * If the lines of a turn continue on the next page, its end is there.
 */
export function withTurnEnds(
  lines: readonly PastEntry[],
  turns: readonly Turn[],
  isNewest: boolean,
): PastEntry[] {
  const ended = turns.filter(({ endedAt }) => endedAt !== undefined);
  const byId = new Map(ended.map((turn) => [turn.id, turn]));
  let open = openAtStart(lines, ended);
  const entries: PastEntry[] = [];
  const close = () => {
    if (open) entries.push(...endOf({ ...open, text: '' }));
    open = undefined;
  };
  for (const line of lines) {
    const { event, at } = line;
    const started = event.type === 'frame' ? byId.get(event.uuid ?? '') : undefined;
    // A prompt within the turn's time steers it. Another one was written in a terminal.
    const isLater = isPrompt(line) && (at ?? 0) > (open?.endedAt ?? 0);
    if (started || isLater) close();
    open = started ?? open;
    entries.push(line);
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

/** A turn as it was stored. Images are left empty: `…/turns/:turnId/images/:index` has them. */
export function toPastEntries(turn: Turn): PastEntry[] {
  const { id: turnId, door, text, startedAt = turn.queuedAt, endedAt } = turn;
  const prompt = turn.prompt.map((part) => (part.type === 'image' ? { ...part, data: '' } : part));
  const entries: PastEntry[] = [{ at: startedAt, turnId, event: { type: 'turn.started', prompt, door } }];
  const at = endedAt ?? startedAt;
  if (text !== '') {
    const content = [{ type: 'text', text }];
    entries.push({ at, turnId, event: { type: 'message', role: 'assistant', content } });
  }
  return [...entries, ...endOf(turn)];
}

function endOf(turn: Turn): PastEntry[] {
  const { id: turnId, status: outcome, text, usage, error, startedAt = turn.queuedAt, endedAt } = turn;
  if (outcome !== 'completed' && outcome !== 'failed' && outcome !== 'interrupted') return [];
  const at = endedAt ?? startedAt;
  const durationMs = at - startedAt;
  const problem = error && { error: { ...error, recoverable: true } };
  return [{ at, turnId, event: { type: 'turn.ended', outcome, text, usage, durationMs, ...problem } }];
}
