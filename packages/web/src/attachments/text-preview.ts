// The beginning of a text file, as a preview before it is sent.
import type { Attachment } from './attachment.ts';

/** In characters of base64: a multiple of four. */
const shownLength = 64 * 1024;

/** Undefined if the file isn't text, or if its bytes aren't here. */
export function textPreview({ data }: Pick<Attachment, 'data'>): string | undefined {
  if (data === '') return undefined;
  const start = Uint8Array.from(atob(data.slice(0, shownLength)), (letter) => letter.charCodeAt(0));
  try {
    // The last character may be cut off.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(start, { stream: true });
    return text.includes('\0') || text.startsWith('%PDF-') ? undefined : text;
  } catch {
    return undefined;
  }
}
