// The first part of a text file, as far as it is worth showing before it is sent.
import type { Attachment } from './attachment.ts';

/** In characters of base64: a multiple of four. */
const shownLength = 64 * 1024;

/** Undefined if the file is no text, or its bytes are not here. */
export function textPreview({ data }: Pick<Attachment, 'data'>): string | undefined {
  if (data === '') return undefined;
  const start = Uint8Array.from(atob(data.slice(0, shownLength)), (letter) => letter.charCodeAt(0));
  try {
    // A letter may be cut at the end.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(start, { stream: true });
    return text.includes('\0') || text.startsWith('%PDF-') ? undefined : text;
  } catch {
    return undefined;
  }
}
