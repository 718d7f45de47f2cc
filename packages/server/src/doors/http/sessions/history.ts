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

/** A turn as it was stored. Images are left empty: `…/turns/:turnId/images/:index` has them. */
export function toPastEntries(turn: Turn): PastEntry[] {
  const { id: turnId, door, text, usage, error, startedAt = turn.queuedAt, endedAt } = turn;
  const prompt = turn.prompt.map((part) => (part.type === 'image' ? { ...part, data: '' } : part));
  const entries: PastEntry[] = [{ at: startedAt, turnId, event: { type: 'turn.started', prompt, door } }];
  const at = endedAt ?? startedAt;
  if (text !== '') {
    const content = [{ type: 'text', text }];
    entries.push({ at, turnId, event: { type: 'message', role: 'assistant', content } });
  }
  const { status: outcome } = turn;
  if (outcome !== 'completed' && outcome !== 'failed' && outcome !== 'interrupted') return entries;
  const durationMs = at - startedAt;
  const problem = error && { error: { ...error, recoverable: true } };
  entries.push({ at, turnId, event: { type: 'turn.ended', outcome, text, usage, durationMs, ...problem } });
  return entries;
}
