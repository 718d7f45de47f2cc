// What was said in a session, as pages show it: without the bytes of images, which are fetched one by one.
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

/** Tokens and money of all turns together. */
export function totalUsage(turns: readonly Turn[]): Usage {
  return turns.reduce((sum, { usage }) => addUsage(sum, usage), noUsage);
}
