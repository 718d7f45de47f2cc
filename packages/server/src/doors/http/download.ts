// The Content-Disposition header of a download.
import { cleanText } from '../../content/clean-text.ts';

/** Contains the name in ASCII for old clients, and unchanged for all others. */
export function asDownload(given: string): string {
  const name = cleanText(given);
  const plain = name.replaceAll(/[^\w.-]+/g, '_');
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name).replaceAll("'", '%27')}`;
}
