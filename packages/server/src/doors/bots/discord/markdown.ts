// Discord shows most Markdown itself. Tables, deep headings, rules and pictures are rewritten in a form that it shows;
// everything else stays as it was written. Pure.
import type { Nodes } from 'mdast';
import { parseMarkdown } from '../../../content/markdown.ts';

export function toDiscordMarkdown(text: string): string {
  const tree = parseMarkdown(text);
  let shown = '';
  let at = 0;
  for (const { start, end, replacement } of tree ? replacementsIn(tree, text) : []) {
    shown += text.slice(at, start) + replacement;
    at = end;
  }
  return shown + text.slice(at);
}

interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/** In the order of the text. */
function replacementsIn(node: Nodes, text: string): readonly Replacement[] {
  const start = node.position?.start.offset ?? 0;
  const end = node.position?.end.offset ?? 0;
  const replacement = replacementOf(node, text.slice(start, end));
  if (replacement !== undefined) return [{ start, end, replacement }];
  return 'children' in node ? node.children.flatMap((child) => replacementsIn(child, text)) : [];
}

function replacementOf(node: Nodes, source: string): string | undefined {
  switch (node.type) {
    case 'heading':
      return node.depth > 3 && node.children.length > 0 ? `**${headingText(source)}**` : undefined;
    case 'thematicBreak':
      return '———';
    case 'table':
      // The lines of a nested table start with the markup around it.
      if (node.position?.start.column !== 1) return undefined;
      return `\`\`\`\n${source.replaceAll('```', "'''")}\n\`\`\``;
    case 'image':
      if (!/^https?:/.test(node.url)) return undefined;
      return node.alt ? `[${node.alt}](${node.url})` : node.url;
    default:
      return undefined;
  }
}

function headingText(source: string): string {
  return source
    .replace(/^#+\s*/, '')
    .replace(/\s+#+\s*$/, '')
    .replaceAll('**', '');
}
