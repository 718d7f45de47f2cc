// Converts Markdown to HTML that is safe on a page of ours: every tag is written here, text is escaped, links lead only to
// web and mail addresses, and nothing is loaded from elsewhere. Pure.
import type { Nodes, Table } from 'mdast';
import { parseMarkdown } from './markdown.ts';

export function toSafeHtml(markdown: string): string {
  const tree = parseMarkdown(markdown);
  return tree ? all(tree.children) : `<p>${escapeHtml(markdown)}</p>`;
}

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (letter) => entities[letter] ?? letter);
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function all(nodes: readonly Nodes[]): string {
  return nodes.map(html).join('');
}

function html(node: Nodes): string {
  switch (node.type) {
    case 'paragraph':
      return `<p>${all(node.children)}</p>`;
    case 'heading':
      // All on one level, below the headings of the page itself: an answer may begin with any level.
      return `<h3 class="depth-${node.depth}">${all(node.children)}</h3>`;
    case 'thematicBreak':
      return '<hr>';
    case 'blockquote':
      return `<blockquote>${all(node.children)}</blockquote>`;
    case 'list': {
      const tag = node.ordered ? 'ol' : 'ul';
      const start = node.ordered && (node.start ?? 1) !== 1 ? ` start="${Number(node.start)}"` : '';
      return `<${tag}${start}>${all(node.children)}</${tag}>`;
    }
    case 'listItem': {
      const box = node.checked === true ? '☑ ' : node.checked === false ? '☐ ' : '';
      return `<li>${box}${all(node.children)}</li>`;
    }
    case 'code':
      return `<pre><code>${escapeHtml(node.value)}</code></pre>`;
    case 'table':
      return tableHtml(node);
    case 'text':
      return escapeHtml(node.value);
    case 'emphasis':
      return `<em>${all(node.children)}</em>`;
    case 'strong':
      return `<strong>${all(node.children)}</strong>`;
    case 'delete':
      return `<del>${all(node.children)}</del>`;
    case 'inlineCode':
      return `<code>${escapeHtml(node.value)}</code>`;
    case 'break':
      return '<br>';
    case 'link':
      return linkHtml(node.url, all(node.children));
    case 'image':
      return linkHtml(node.url, escapeHtml(node.alt || node.url));
    default:
      return 'children' in node ? all(node.children) : 'value' in node ? escapeHtml(node.value) : '';
  }
}

function linkHtml(url: string, label: string): string {
  if (!/^(https?:\/\/|mailto:)/i.test(url)) return label;
  return `<a href="${escapeHtml(url)}" rel="noopener noreferrer nofollow">${label}</a>`;
}

function tableHtml({ children: [head, ...rows] }: Table): string {
  const line = (cells: Table['children'][number] | undefined, tag: 'th' | 'td') =>
    `<tr>${(cells?.children ?? []).map((cell) => `<${tag}>${all(cell.children)}</${tag}>`).join('')}</tr>`;
  const body = rows.map((row) => line(row, 'td')).join('');
  return `<table><thead>${line(head, 'th')}</thead><tbody>${body}</tbody></table>`;
}
