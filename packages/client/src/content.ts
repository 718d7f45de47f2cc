// Reads content blocks of messages. A model or a program wrote them: every field may be missing or have the wrong type.
import { type ContentBlock, splitAttachedPaths } from '@parley/protocol';
import type { AttachedFile, Picture } from './view.ts';

export interface ToolResult {
  readonly id: string;
  readonly isError: boolean;
  readonly text: string;
  readonly pictures: readonly Picture[];
}

export function textOf(blocks: readonly ContentBlock[]): string {
  return blocks.flatMap((block) => (block.type === 'text' ? [string(block['text'])] : [])).join('\n\n');
}

export function picturesOf(blocks: readonly ContentBlock[]): readonly Picture[] {
  return blocks.flatMap((block) => {
    if (block.type !== 'image') return [];
    const source = (block['source'] ?? {}) as { readonly media_type?: unknown; readonly data?: unknown };
    const [mediaType, data] = [string(source.media_type), string(source.data)];
    return /^image\/(png|jpeg|gif|webp)$/.test(mediaType) && data !== '' ? [{ mediaType, data }] : [];
  });
}

/** The text without the paths of attached files, and these files. */
export function splitFiles(said: string): { readonly text: string; readonly files: readonly AttachedFile[] } {
  const { text, paths } = splitAttachedPaths(said);
  const files = paths.map((path) => ({
    name: path.slice(path.lastIndexOf('/') + 1),
    mediaType: '',
    size: undefined,
    data: '',
    path,
  }));
  return { text, files };
}

export function documentsOf(blocks: readonly ContentBlock[]): readonly AttachedFile[] {
  return blocks.flatMap((block) => {
    if (block.type !== 'document') return [];
    const { media_type: mediaType } = (block['source'] ?? {}) as { readonly media_type?: unknown };
    return [{ name: string(block['title']), mediaType: string(mediaType), size: undefined, data: '' }];
  });
}

export function resultsOf(blocks: readonly ContentBlock[]): readonly ToolResult[] {
  return blocks.flatMap((block) => {
    if (block.type !== 'tool_result' || typeof block['tool_use_id'] !== 'string') return [];
    const { content } = block as { readonly content?: unknown };
    const parts = Array.isArray(content) ? content.filter(isBlock) : [];
    return [
      {
        id: block['tool_use_id'],
        isError: block['is_error'] === true,
        text: typeof content === 'string' ? content : parts.map(resultText).filter(Boolean).join('\n'),
        pictures: picturesOf(parts),
      },
    ];
  });
}

export function string(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function resultText(block: ContentBlock): string {
  if (block.type === 'tool_reference') return `Loaded ${string(block['tool_name']) || 'a tool'}`;
  return string(block['text']);
}

function isBlock(value: unknown): value is ContentBlock {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}
