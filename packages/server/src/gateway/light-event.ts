// Events without the bytes of files: readers show a name and a size, and fetch the bytes they want from the stored turn
// and its messages.
import type { ContentBlock, Prompt, SessionEvent } from '@parley/protocol';

export function lightEvent(event: SessionEvent): SessionEvent {
  switch (event.type) {
    case 'turn.started':
      return { ...event, prompt: lightPrompt(event.prompt) };
    case 'queue.changed':
      return {
        ...event,
        prompts: event.prompts.map((queued) => ({ ...queued, prompt: lightPrompt(queued.prompt) })),
      };
    case 'message':
      return event.content.some(isDocument) ? { ...event, content: event.content.map(lightBlock) } : event;
    default:
      return event;
  }
}

function lightPrompt(prompt: Prompt): Prompt {
  return prompt.map((part) => (part.type === 'file' ? { ...part, data: '' } : part));
}

function isDocument({ type }: ContentBlock): boolean {
  return type === 'document';
}

function lightBlock(block: ContentBlock): ContentBlock {
  if (!isDocument(block)) return block;
  return { ...block, source: { ...(block['source'] as object), data: '' } };
}
