// Converts Markdown to the HTML that Telegram accepts. The result is always valid and never shows more characters than
// the Markdown has, so a text that was split to fit still fits. Pure.

import type { Image, Link, ListItem, Nodes, PhrasingContent } from 'mdast';
import { escapeHtml } from '../../../content/escape-html.ts';
import { parseMarkdown } from '../../../content/markdown.ts';

export function toTelegramHtml(markdown: string): string {
  const tree = parseMarkdown(markdown);
  if (!tree) return escapeHtml(markdown);
  const html = blocks(tree.children, { source: markdown });
  // Parsing can turn a tab into several spaces.
  return visibleLength(html) <= markdown.length ? html : escapeHtml(markdown);
}

interface Place {
  readonly source: string;
  /** Telegram does not accept a quote inside a quote, or a link inside a link. */
  readonly isInQuote?: boolean;
  readonly isInLink?: boolean;
}

/** Keeps blank lines and indentation. */
function blocks(nodes: readonly Nodes[], place: Place): string {
  let line = nodes[0]?.position?.start.line ?? 0;
  return nodes
    .map((node) => {
      const breaks = (node.position?.start.line ?? line) - line;
      line = lastLineOf(node) ?? line;
      const isIndented = node.type === 'listItem' || (node.type === 'paragraph' && breaks > 0);
      return '\n'.repeat(breaks) + (isIndented ? indentOf(node, place) : '') + block(node, place);
    })
    .join('');
}

/** The parser says that a quote inside a quote ends on the line after it. */
function lastLineOf(node: Nodes): number | undefined {
  const last = node.type === 'blockquote' ? node.children.at(-1) : undefined;
  return last ? lastLineOf(last) : node.position?.end.line;
}

function block(node: Nodes, place: Place): string {
  switch (node.type) {
    case 'paragraph':
      return inlines(node.children, place);
    case 'heading':
      return `<b>${inlines(node.children, place)}</b>`;
    case 'thematicBreak':
      return '———';
    case 'blockquote':
      return quote(blocks(node.children, { ...place, isInQuote: true }), place);
    case 'list':
      return blocks(node.children, place);
    case 'listItem':
      return [...markersOf(node, place), blocks(node.children, place)].join(' ').trimEnd();
    case 'code':
      return codeHtml(node.value, node.lang);
    case 'table':
      // Telegram has no tables: show the markup in a monospaced font.
      return `<pre>${escapeHtml(sourceOf(node, place).replaceAll(/^[ \t>]+/gm, ''))}</pre>`;
    default:
      return escapeHtml(sourceOf(node, place));
  }
}

function quote(html: string, { isInQuote }: Place): string {
  return isInQuote || html.trim() === '' ? html : `<blockquote>${html}</blockquote>`;
}

function codeHtml(code: string, info: string | null | undefined): string {
  const text = escapeHtml(code);
  const language = /^[\w+#.-]+/.exec(info ?? '')?.[0];
  if (text === '') return '';
  return language ? `<pre><code class="language-${language}">${text}</code></pre>` : `<pre>${text}</pre>`;
}

function markersOf(item: ListItem, place: Place): readonly string[] {
  const number = /^\d+[.)]/.exec(sourceOf(item, place))?.[0];
  const box = item.checked ? '☑' : '☐';
  if (typeof item.checked === 'boolean') return number === undefined ? [box] : [number, box];
  return [number ?? '•'];
}

/** The whitespace before a block at the start of its line. */
function indentOf(node: Nodes, { source }: Place): string {
  const start = node.position?.start.offset ?? 0;
  const before = source.slice(source.lastIndexOf('\n', start - 1) + 1, start).replace(/^.*> ?/, '');
  return before.trim() === '' ? before : '';
}

function inlines(nodes: readonly PhrasingContent[], place: Place): string {
  return nodes.map((node) => inline(node, place)).join('');
}

function inline(node: PhrasingContent, place: Place): string {
  switch (node.type) {
    case 'text':
      return escapeHtml(node.value);
    case 'strong':
      return `<b>${inlines(node.children, place)}</b>`;
    case 'emphasis':
      return `<i>${inlines(node.children, place)}</i>`;
    case 'delete':
      return `<s>${inlines(node.children, place)}</s>`;
    case 'inlineCode':
      return `<code>${escapeHtml(node.value)}</code>`;
    case 'break':
      return '\n';
    case 'link':
      return linkHtml(node, inlines(node.children, { ...place, isInLink: true }), place);
    case 'image':
      return linkHtml(node, escapeHtml(node.alt ?? ''), place);
    default:
      return escapeHtml(sourceOf(node, place));
  }
}

/** The addresses that a chat may open. Any other link is shown as its Markdown. */
const safeAddress = /^(?:https?:|mailto:|tg:)/i;

function linkHtml(node: Link | Image, label: string, place: Place): string {
  if (!safeAddress.test(node.url)) return escapeHtml(sourceOf(node, place));
  const url = escapeHtml(node.url);
  const shown = label.trim() === '' ? url : label;
  return place.isInLink ? shown : `<a href="${url}">${shown}</a>`;
}

function sourceOf(node: Nodes, { source }: Place): string {
  return node.position ? source.slice(node.position.start.offset, node.position.end.offset) : '';
}

function visibleLength(html: string): number {
  return html.replaceAll(/<[^>]*>/g, '').replaceAll(/&\w+;/g, '.').length;
}
