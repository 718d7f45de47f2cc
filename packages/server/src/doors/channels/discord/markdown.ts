// Discord shows most of Markdown by itself. What it does not (tables, deep headings, rules, pictures) is put in a
// form that it does. Text within code stays as it is. Pure.
import { type Fence, fenceAfter } from '../core/fences.ts';

export function toDiscordMarkdown(text: string): string {
  const lines = text.split('\n');
  const out: string[] = [];
  let open: Fence | undefined;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const wasOpen = open;
    open = fenceAfter(line, open);
    const table = wasOpen || open ? 0 : tableLength(lines, at);
    if (table > 0) {
      out.push('```', ...lines.slice(at, at + table).map((row) => row.replaceAll('```', "'''")), '```');
      at += table - 1;
    } else out.push(wasOpen || open ? line : shownLine(line));
  }
  return out.join('\n');
}

function shownLine(line: string): string {
  const heading = /^ {0,3}#{4,6}\s+(.+?)\s*#*$/.exec(line)?.[1];
  if (heading !== undefined) return `**${heading.replaceAll('**', '')}**`;
  if (/^ {0,3}([-*_])( *\1){2,}\s*$/.test(line)) return '———';
  return line.replaceAll(/!\[([^\]]*)\]\((https?:\/\/[^\s)]+)\)/g, (_, label: string, url: string) =>
    label === '' ? url : `[${label}](${url})`,
  );
}

/** A row of cells, a row of dashes, more rows. 0 when there is no table. */
function tableLength(lines: readonly string[], at: number): number {
  const isRow = (line: string | undefined) => line?.includes('|') === true;
  const dashes = lines[at + 1];
  if (!isRow(lines[at]) || !isRow(dashes)) return 0;
  if (!/^\s*\|?\s*:?-{2,}:?\s*(\|\s*:?-{2,}:?\s*)*\|?\s*$/.test(dashes ?? '')) return 0;
  let length = 2;
  while (isRow(lines[at + length])) length += 1;
  return length;
}
