// What was said in a session, as pages show it: without the bytes of images, which are fetched one by one.
import {
  addUsage,
  ErrorCode,
  ImageType,
  noUsage,
  type Prompt,
  promptText,
  Seq,
  type Turn,
  TurnStatus,
  Usage,
} from '@parley/protocol';
import { z } from 'zod';

/** The words of a prompt, and what kinds of images came with it. */
export const ShownPrompt = z.object({ text: z.string(), images: z.array(ImageType) });
export type ShownPrompt = z.infer<typeof ShownPrompt>;

export const ShownTurn = z.object({
  id: z.uuid(),
  door: z.string(),
  status: TurnStatus,
  prompt: ShownPrompt,
  text: z.string().describe('The answer.'),
  usage: Usage,
  error: z.object({ code: ErrorCode, message: z.string() }).optional(),
  after: Seq.describe('Every event of the turn has a greater number.'),
  queuedAt: z.number(),
  startedAt: z.number().optional(),
  endedAt: z.number().optional(),
});
export type ShownTurn = z.infer<typeof ShownTurn>;

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
