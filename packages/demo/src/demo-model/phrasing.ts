// Phrases that the intents share.
import { type ReplyPart, sayInWords } from '../anthropic/reply.ts';
import { firstLines } from './reading.ts';
import type { DoneCall } from './scene.ts';

const maxBullets = 30;

/** Used wherever a person could mistake it for a real model. */
export const whatIAm = "I'm a scripted demo model: I follow a short list of rules, and I'm not Claude";

export function sorry(what: string, failed: DoneCall): ReplyPart {
  return sayInWords(`${what}: ${firstLines(failed.result, 3)}`);
}

export function bullets(items: readonly string[]): string {
  const shown = items.slice(0, maxBullets).map((item) => `- ${item}`);
  const more = items.length - maxBullets;
  return [...shown, ...(more > 0 ? [`- … and ${more} more`] : [])].join('\n');
}

export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

export function fence(text: string, language = ''): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}
