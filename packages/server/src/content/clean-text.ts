// Makes a typed text safe for a model, a database and a page: one form of each letter, and no invisible characters that
// control a terminal or reverse the reading direction. Pure.
import { ParleyError } from '@parley/protocol';

/** Keeps words, line breaks and tabs as they are; Windows and old Mac line endings become plain ones. */
export function cleanText(text: string): string {
  return text
    .replaceAll(loneSurrogates, '\uFFFD')
    .normalize('NFC')
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(controls, '')
    .replaceAll(bidiOverrides, '');
}

/** A message ready to send on. Throws `too_large` with a sentence; the caller decides about an empty one. */
export function cleanMessage(text: string, longest: number, field = 'message'): string {
  // Cleaning shortens a text, but not by this much, and takes several times its memory.
  const cleaned = text.length > longest * 4 ? undefined : cleanText(text);
  if (cleaned !== undefined && cleaned.length <= longest) return cleaned;
  throw new ParleyError('too_large', `\`${field}\` is longer than ${longest} characters. Send it in parts.`);
}

const loneSurrogates = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;
const controls = /[^\P{Cc}\n\t]/gu;
/** Embeddings, overrides and isolates. The plain marks for right-to-left scripts stay. */
const bidiOverrides = /[\u202A-\u202E\u2066-\u2069]/g;
