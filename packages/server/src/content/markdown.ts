// Parses Markdown the way models write it: CommonMark with GitHub's tables, task lists and strikethrough.
import type { Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';

/** HTML from a model is never shown, and no chat service can show the others, so all of them stay plain text. */
const textOnly = [
  'definition',
  'gfmFootnoteCall',
  'gfmFootnoteDefinition',
  'gfmPotentialFootnoteCall',
  'htmlFlow',
  'htmlText',
];

/** Walking a tree with thousands of levels overflows the stack. */
const tooDeep = /^(?:[ \t]*(?:>|[-+*][ \t]|\d+[.)][ \t])){100}/m;

/** Undefined when quotes or lists are nested absurdly deep. */
export function parseMarkdown(text: string): Root | undefined {
  if (tooDeep.test(text)) return undefined;
  return fromMarkdown(text, {
    extensions: [gfm({ singleTilde: false }), { disable: { null: textOnly } }],
    mdastExtensions: [gfmFromMarkdown()],
  });
}
