// From what an MCP tool gave back to what the model reads. Nothing is dropped in silence: what cannot be shown
// becomes a sentence.
import type { ContentBlock } from '@parley/protocol';
import { z } from 'zod';
import { readImage } from '../../content/check-image.ts';
import type { ToolResult } from '../../domain/tool.ts';

/** Loose, because servers of newer versions send kinds of content that nobody knows yet. */
export const CallResult = z.looseObject({
  content: z.array(z.looseObject({ type: z.string() })).default([]),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().optional().catch(undefined),
});
export type CallResult = z.infer<typeof CallResult>;

export function toToolResult({ content, structuredContent, isError }: CallResult): ToolResult {
  const blocks = content.map(toBlock);
  // A server that has text says the same there; only one that has none is read from its structure.
  if (structuredContent !== undefined && !blocks.some(({ type }) => type === 'text'))
    blocks.push(text(JSON.stringify(structuredContent)));
  return {
    content: blocks.every(isText) ? blocks.map((block) => block['text']).join('\n') : blocks,
    ...(isError === true ? { failed: true } : {}),
  };
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
      return text(`[The tool also gave something of the kind “${part.type}”, which cannot be shown here.]`);
  }
}

function resource(given: unknown): ContentBlock {
  const { uri, mimeType, text: content, blob } = z.looseObject({}).catch({}).parse(given);
  const words = typeof content === 'string' ? content : decoded(mimeType, blob);
  if (words !== undefined) return text(`[Resource ${wordOf(uri)}]\n${words}`);
  return image(blob) ?? text(unshown(`The resource ${wordOf(uri)}`, mimeType));
}

/** By its bytes, as servers are not always right about the type. Undefined for what no model would take. */
function image(data: unknown): ContentBlock | undefined {
  try {
    const { mediaType, data: base64 } = readImage(wordOf(data));
    return { type: 'image', source: { type: 'base64', media_type: mediaType, data: base64 } };
  } catch {
    return undefined;
  }
}

/** Text that came as bytes. Undefined for what is none. */
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
  return `[${what}${kind === '' ? '' : ` of type ${kind}`} came with the result. It cannot be shown here.]`;
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
