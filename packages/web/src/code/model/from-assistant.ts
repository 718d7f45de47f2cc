// Messages of the model: words, thoughts, tool calls.
import type { Draft } from './draft.ts';
import { dropPartial } from './from-stream-event.ts';
import type { Item } from './items.ts';
import { type Frame, type Json, number, record, records, text } from './read.ts';
import { mainThread } from './transcript.ts';

export function readAssistant(draft: Draft, thread: string, frame: Frame): readonly Item[] {
  const message = record(frame['message']);
  const blocks = records(message['content']);
  dropPartial(draft, thread, text(message['id']), blocks.length);
  if (thread === mainThread) learnContext(draft, message);
  const isProblem = frame['isApiErrorMessage'] === true || text(frame['error']) !== undefined;
  return blocks.flatMap((block, index) => readBlock(frame, block, index, isProblem));
}

function readBlock(frame: Frame, block: Json, index: number, isProblem: boolean): readonly Item[] {
  const common = {
    key: `${text(frame['uuid']) ?? text(record(frame['message'])['id']) ?? JSON.stringify(frame)}:${index}`,
    at: text(frame['timestamp']),
    raw: frame,
  };
  switch (block['type']) {
    case 'text': {
      const said = text(block['text']) ?? '';
      if (said.trim() === '' || isSynthetic(frame, said)) return [];
      if (isProblem) return [{ ...common, kind: 'note', tone: 'danger', text: said, detail: undefined }];
      return [{ ...common, kind: 'text', text: said }];
    }
    case 'thinking': {
      const thought = text(block['thinking']) ?? '';
      return thought.trim() === '' ? [] : [{ ...common, kind: 'thinking', text: thought }];
    }
    case 'redacted_thinking':
      return [];
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use': {
      const id = text(block['id']) ?? common.key;
      const name = text(block['name']) ?? 'tool';
      return [{ ...common, kind: 'tool', key: id, id, name, input: record(block['input']) }];
    }
    default:
      return [{ ...common, kind: 'raw', type: `assistant ${text(block['type']) ?? 'block'}` }];
  }
}

/** What the program writes into the conversation on its own account when there is nothing to say. */
function isSynthetic(frame: Frame, said: string): boolean {
  return record(frame['message'])['model'] === '<synthetic>' && said === 'No response requested.';
}

/** All that the model had to read for this answer, and the answer itself. */
function learnContext(draft: Draft, message: Json): void {
  const usage = record(message['usage']);
  const model = text(message['model']);
  if (model !== undefined && model !== '<synthetic>') draft.learn({ model });
  const fields = ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens', 'output_tokens'];
  const tokens = fields.reduce((sum, field) => sum + (number(usage[field]) ?? 0), 0);
  if (tokens > 0) draft.learn({ contextTokens: tokens });
}
