// What an export format consists of: a start, a piece for each item, and an end.
import type { ExportItem } from './read-items.ts';
import type { ExportWords } from './words.ts';

export interface ExportHead {
  readonly title: string;
  readonly assistant: string;
  readonly workingDir?: string | undefined;
  readonly createdAt: number;
  readonly exportedAt: number;
  readonly words: ExportWords;
}

export interface ExportFormat {
  readonly type: string;
  readonly ending: string;
  begin(head: ExportHead): string;
  /** `isFirst` helps formats that separate their items. */
  item(item: ExportItem, head: ExportHead, isFirst: boolean): string;
  end(head: ExportHead): string;
}

/** The policy of a page that is shown, not downloaded. The page repeats it for browsers that open it from a file. */
export const exportPolicy =
  "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** How much of a tool's input or result a file for people contains. */
const maxToolText = 20_000;

export function toolText(text: string, { cut }: ExportWords): string {
  return text.length <= maxToolText ? text : `${text.slice(0, maxToolText)}\n… ${cut}`;
}

export function inputText(input: unknown): string {
  return typeof input === 'string' ? input : (JSON.stringify(input, null, 2) ?? '');
}

/** Empty if the time was not recorded. */
export function dayAndTime(at: number | null, { language }: ExportWords): string {
  if (at === null) return '';
  const format = new Intl.DateTimeFormat(language, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  return `${format.format(at)} UTC`;
}
