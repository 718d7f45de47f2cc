// Turns the result of an MCP tool into what the model reads. Nothing is dropped silently: what cannot be shown becomes a
// sentence.
import { randomUUID } from 'node:crypto';
import type { ContentBlock } from '@parley/protocol';
import { z } from 'zod';
import { readImage } from '../../content/check-image.ts';
import { markUntrusted } from '../../content/untrusted.ts';
import type { ToolResult } from '../../domain/tool.ts';

/** Loose, because newer servers may send unknown types of content. */
export const CallResult = z.looseObject({
  content: z.array(z.looseObject({ type: z.string() })).default([]),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().optional().catch(undefined),
});
export type CallResult = z.infer<typeof CallResult>;

export function toToolResult({ content, structuredContent, isError }: CallResult): ToolResult {
  const blocks = content.map(toBlock);
  // The text repeats the structured content, which is only needed when there is no text.
  if (structuredContent !== undefined && !blocks.some(({ type }) => type === 'text'))
    blocks.push(text(JSON.stringify(structuredContent)));
  return {
    content: blocks.every(isText) ? blocks.map((block) => block['text']).join('\n') : blocks,
    ...(isError === true ? { failed: true } : {}),
  };
}

/** Marks everything in the result as text from strangers. */
export function untrusted(result: ToolResult): ToolResult {
  const mark = randomUUID();
  if (typeof result.content === 'string') return { ...result, content: markUntrusted(result.content, mark) };
  // The first text block opens the marks and the last one closes them, with everything else in between.
  const [before = '', after = ''] = markUntrusted(mark, mark).split(`\n${mark}\n`);
  return { ...result, content: [text(before), ...result.content, text(after)] };
}

function toBlock(part: CallResult['content'][number]): ContentBlock {
  switch (part.type) {
    case 'text':
      return text(wordOf(part['text']));
    case 'image':
      return image(part['data']) ?? text(unshown('An image', part['mimeType']));
    case 'audio':
      return text(unshown('A sound recording', part['mimeType']));
    case 'resource_link':
      return text(link(part));
    case 'resource':
      return resource(part['resource']);
    default:
      return text(`[The tool also returned content of the type “${part.type}”, which cannot be shown here.]`);
  }
}

function resource(given: unknown): ContentBlock {
  const { uri, mimeType, text: content, blob } = z.looseObject({}).catch({}).parse(given);
  const words = typeof content === 'string' ? content : decoded(mimeType, blob);
  if (words !== undefined) return text(`[Resource ${wordOf(uri)}]\n${words}`);
  return image(blob) ?? text(unshown(`The resource ${wordOf(uri)}`, mimeType));
}

/** Detects the type from the bytes, as servers may declare a wrong one. Undefined when no model would take it. */
function image(data: unknown): ContentBlock | undefined {
  try {
    const { mediaType, data: base64 } = readImage(wordOf(data));
    return { type: 'image', source: { type: 'base64', media_type: mediaType, data: base64 } };
  } catch {
    return undefined;
  }
}

/** Text that was sent as bytes. Undefined when it isn't text. */
function decoded(mimeType: unknown, blob: unknown): string | undefined {
  if (!/^(text\/|application\/json\b)/.test(wordOf(mimeType))) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(wordOf(blob), 'base64'));
  } catch {
    return undefined;
  }
}

function link({ uri, name, title, description, mimeType }: Readonly<Record<string, unknown>>): string {
  const label = wordOf(title) || wordOf(name) || 'Resource';
  const about = [wordOf(description), wordOf(mimeType)].filter((word) => word !== '').join(', ');
  return `${label}: ${wordOf(uri)}${about === '' ? '' : ` (${about})`}`;
}

function unshown(what: string, mimeType: unknown): string {
  const kind = wordOf(mimeType);
  return `[${what}${kind === '' ? '' : ` of type ${kind}`} was part of the result. It cannot be shown here.]`;
}

function text(content: string): ContentBlock & { readonly text: string } {
  return { type: 'text', text: content };
}

function isText(block: ContentBlock): boolean {
  return block.type === 'text';
}

function wordOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
