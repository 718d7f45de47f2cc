// Pieces of a message as they are written. The whole message, which comes block by block, takes their place.
import type { Draft } from './draft.ts';
import type { PartialBlock } from './items.ts';
import { type Frame, type Json, number, record, text } from './read.ts';

const bareTypes = new Set([
  'message_start',
  'message_delta',
  'message_stop',
  'content_block_start',
  'content_block_delta',
  'content_block_stop',
]);

/** The event inside a frame. Some programs write events bare. */
export function eventOf(frame: Frame): Json | undefined {
  const type = text(frame['type']) ?? '';
  if (type === 'stream_event') return record(frame['event']);
  return bareTypes.has(type) ? frame : undefined;
}

export function foldStreamEvent(draft: Draft, thread: string, event: Json): void {
  const index = number(event['index']) ?? 0;
  switch (event['type']) {
    case 'message_start':
      draft.setPartial(thread, { id: text(record(event['message'])['id']), blocks: [] });
      return;
    case 'content_block_start':
      update(draft, thread, startedBlock(index, record(event['content_block'])));
      return;
    case 'content_block_delta':
      extend(draft, thread, index, record(event['delta']));
      return;
    case 'message_stop':
      draft.setPartial(thread, undefined);
      return;
    default:
  }
}

/** The first blocks of the message are there as a whole now. */
export function dropPartial(
  draft: Draft,
  thread: string,
  messageId: string | undefined,
  blocks: number,
): void {
  const partial = draft.partial(thread);
  if (!partial || (partial.id !== undefined && messageId !== undefined && partial.id !== messageId)) return;
  draft.setPartial(thread, { ...partial, blocks: partial.blocks.slice(blocks) });
}

function startedBlock(index: number, block: Json): PartialBlock {
  const kinds: Record<string, PartialBlock['kind']> = { text: 'text', thinking: 'thinking' };
  const kind = kinds[text(block['type']) ?? ''] ?? 'tool';
  return { index, kind, text: text(block[kind]) ?? '', tool: text(block['name']) };
}

const deltaKinds: Record<string, { kind: PartialBlock['kind']; field: string }> = {
  text_delta: { kind: 'text', field: 'text' },
  thinking_delta: { kind: 'thinking', field: 'thinking' },
  input_json_delta: { kind: 'tool', field: 'partial_json' },
};

function extend(draft: Draft, thread: string, index: number, delta: Json): void {
  const known = deltaKinds[text(delta['type']) ?? ''];
  if (!known) return;
  const block = draft.partial(thread)?.blocks.find((one) => one.index === index);
  const before: PartialBlock = block ?? { index, kind: known.kind, text: '', tool: undefined };
  update(draft, thread, { ...before, text: before.text + (text(delta[known.field]) ?? '') });
}

function update(draft: Draft, thread: string, block: PartialBlock): void {
  const { id, blocks } = draft.partial(thread) ?? { id: undefined, blocks: [] };
  const isThere = blocks.some((one) => one.index === block.index);
  draft.setPartial(thread, {
    id,
    blocks: isThere ? blocks.map((one) => (one.index === block.index ? block : one)) : [...blocks, block],
  });
}
