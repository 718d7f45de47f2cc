// The history of a session as pages show it, without image bytes, which pages fetch one by one.
import {
  addUsage,
  noUsage,
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
