// The header of a download.
import { cleanText } from '../../../content/clean-text.ts';

/** The name for old clients in ASCII, and for others as it is. */
export function asDownload(given: string): string {
  const name = cleanText(given);
  const plain = name.replaceAll(/[^\w.-]+/g, '_');
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name).replaceAll("'", '%27')}`;
}
