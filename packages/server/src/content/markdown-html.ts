// Converts Markdown to HTML that is safe on our pages: every tag is written here, text is escaped, links lead only to
// web and mail addresses, and nothing is loaded from elsewhere. Pages with our own texts write some parts differently.
// Pure.

import type { Heading, Nodes, Table } from 'mdast';
import { escapeHtml } from './escape-html.ts';
import { parseMarkdown } from './markdown.ts';

/** How to write the parts that depend on the page. All arguments are HTML, except for addresses and code. */
export interface HtmlWriter {
  heading(node: Heading, inner: string): string;
  link(url: string, label: string): string;
  image(url: string, alt: string): string;
  code(value: string): string;
  table(inner: string): string;
}

/** For text that anybody may have written. */
const safe: HtmlWriter = {
  // All on one level, below the headings of the page itself: an answer may begin with any level.
  heading: ({ depth }, inner) => `<h3 class="depth-${depth}">${inner}</h3>`,
  link: linkHtml,
  image: (url, alt) => linkHtml(url, alt || escapeHtml(url)),
  code: (value) => `<pre><code>${escapeHtml(value)}</code></pre>`,
  table: (inner) => `<table>${inner}</table>`,
};

export function toSafeHtml(markdown: string): string {
  return toHtml(markdown, safe);
}

export function toHtml(markdown: string, writing: HtmlWriter): string {
  const tree = parseMarkdown(markdown);
  return tree ? all(tree.children, writing) : `<p>${escapeHtml(markdown)}</p>`;
}

function all(nodes: readonly Nodes[], writing: HtmlWriter): string {
  return nodes.map((node) => html(node, writing)).join('');
}

function html(node: Nodes, writing: HtmlWriter): string {
  const inner = 'children' in node && node.type !== 'table' ? all(node.children, writing) : '';
  switch (node.type) {
    case 'paragraph':
      return `<p>${inner}</p>`;
    case 'heading':
      return writing.heading(node, inner);
    case 'thematicBreak':
      return '<hr>';
    case 'blockquote':
      return `<blockquote>${inner}</blockquote>`;
    case 'list': {
      const tag = node.ordered ? 'ol' : 'ul';
      const start = node.ordered && (node.start ?? 1) !== 1 ? ` start="${Number(node.start)}"` : '';
      return `<${tag}${start}>${inner}</${tag}>`;
    }
    case 'listItem': {
      const box = node.checked === true ? '☑ ' : node.checked === false ? '☐ ' : '';
      return `<li>${box}${inner}</li>`;
    }
    case 'code':
      return writing.code(node.value);
    case 'table':
      return writing.table(tableHtml(node, writing));
    case 'text':
      return escapeHtml(node.value);
    case 'emphasis':
      return `<em>${inner}</em>`;
    case 'strong':
      return `<strong>${inner}</strong>`;
    case 'delete':
      return `<del>${inner}</del>`;
    case 'inlineCode':
      return `<code>${escapeHtml(node.value)}</code>`;
    case 'break':
      return '<br>';
    case 'link':
      return writing.link(node.url, inner);
    case 'image':
      return writing.image(node.url, escapeHtml(node.alt ?? ''));
    default:
      return 'children' in node ? inner : 'value' in node ? escapeHtml(node.value) : '';
  }
}

function linkHtml(url: string, label: string): string {
  if (!/^(https?:\/\/|mailto:)/i.test(url)) return label;
  return `<a href="${escapeHtml(url)}" rel="noopener noreferrer nofollow">${label}</a>`;
}

function tableHtml({ children: [head, ...rows] }: Table, writing: HtmlWriter): string {
  const line = (cells: Table['children'][number] | undefined, tag: 'th' | 'td') =>
    `<tr>${(cells?.children ?? []).map((cell) => `<${tag}>${all(cell.children, writing)}</${tag}>`).join('')}</tr>`;
  const body = rows.map((row) => line(row, 'td')).join('');
  return `<thead>${line(head, 'th')}</thead><tbody>${body}</tbody>`;
}
