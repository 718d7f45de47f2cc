// Markdown as models write it, in the HTML that Telegram shows. Always well-formed, and what people see is never
// longer than the Markdown was, so that a text that was cut to fit still fits. Pure.
import { type Fence, fenceAfter } from '../core/fences.ts';
import { escapeHtml, inlineHtml } from './inline-html.ts';

export function toTelegramHtml(markdown: string): string {
  const lines = markdown.split('\n');
  const out: string[] = [];
  let at = 0;
  while (at < lines.length) {
    const block = blockAt(lines, at);
    out.push(block.html);
    at = block.next;
  }
  return out.join('\n');
}

interface Block {
  readonly html: string;
  /** The line after it. */
  readonly next: number;
}

function blockAt(lines: readonly string[], at: number): Block {
  return (
    codeAt(lines, at) ??
    tableAt(lines, at) ??
    quoteAt(lines, at) ?? { html: lineHtml(lines[at] ?? ''), next: at + 1 }
  );
}

function codeAt(lines: readonly string[], at: number): Block | undefined {
  const fence = fenceAfter(lines[at] ?? '', undefined);
  if (!fence) return undefined;
  let open: Fence | undefined = fence;
  let next = at + 1;
  const code: string[] = [];
  for (; next < lines.length; next += 1) {
    const line = lines[next] ?? '';
    open = fenceAfter(line, open);
    if (!open) break;
    code.push(line);
  }
  const language = /^[ \t]*[`~]+\s*([\w+#.-]+)/.exec(fence.opening)?.[1];
  const text = escapeHtml(code.join('\n'));
  const html = language
    ? `<pre><code class="language-${escapeHtml(language)}">${text}</code></pre>`
    : `<pre>${text}</pre>`;
  return { html: text === '' ? '' : html, next: Math.min(next + 1, lines.length) };
}

/** A row of cells, a row of dashes, more rows: shown as it stands, in letters of one width. */
function tableAt(lines: readonly string[], at: number): Block | undefined {
  const isRow = (line: string | undefined) => line?.includes('|') === true;
  if (!isRow(lines[at]) || !/^\s*\|?\s*:?-{2,}:?\s*(\|\s*:?-{2,}:?\s*)*\|?\s*$/.test(lines[at + 1] ?? ''))
    return undefined;
  if (!isRow(lines[at + 1])) return undefined;
  let next = at + 2;
  while (isRow(lines[next])) next += 1;
  return { html: `<pre>${escapeHtml(lines.slice(at, next).join('\n'))}</pre>`, next };
}

function quoteAt(lines: readonly string[], at: number): Block | undefined {
  const quoted = (line: string | undefined) => /^ {0,3}> ?(.*)$/.exec(line ?? '')?.[1];
  if (quoted(lines[at]) === undefined) return undefined;
  const inside: string[] = [];
  let next = at;
  for (let line = quoted(lines[next]); line !== undefined; line = quoted(lines[next])) {
    inside.push(lineHtml(line));
    next += 1;
  }
  const html = inside.join('\n');
  return { html: html.trim() === '' ? html : `<blockquote>${html}</blockquote>`, next };
}

function lineHtml(line: string): string {
  const heading = /^ {0,3}#{1,6}\s+(.+?)\s*#*$/.exec(line)?.[1];
  if (heading !== undefined) return `<b>${inlineHtml(heading)}</b>`;
  if (/^ {0,3}([-*_])( *\1){2,}\s*$/.test(line)) return '———';
  const item = /^(\s*)[-*+]\s+(?:\[([ xX])\]\s+)?(.*)$/.exec(line);
  if (!item) return inlineHtml(line);
  const [, indent = '', box, text = ''] = item;
  const bullet = box === undefined ? '•' : box === ' ' ? '☐' : '☑';
  return `${indent}${bullet} ${inlineHtml(text)}`;
}
