// Pictures that the service does not take, though they look right to us: it would refuse every later turn of the
// conversation as well. Pure.
import type { ContentBlock, Message } from '@parley/protocol';

export function withoutPictures(message: Message): Message {
  return message.content.some(hasPicture) ? { ...message, content: message.content.map(inWords) } : message;
}

export function hasPictures({ content }: Message): boolean {
  return content.some(hasPicture);
}

function hasPicture(block: ContentBlock): boolean {
  return block.type === 'image' || innerOf(block).some(hasPicture);
}

/** The model is told that there was one, because what was said about it stays. */
function inWords(block: ContentBlock): ContentBlock {
  if (block.type === 'image') return { type: 'text', text: '[A picture that could not be read.]' };
  const inner = innerOf(block);
  return inner.some(hasPicture) ? { ...block, content: inner.map(inWords) } : block;
}

/** The results of tools may hold pictures too. */
function innerOf(block: ContentBlock): readonly ContentBlock[] {
  const inner = block['content'];
  return block.type === 'tool_result' && Array.isArray(inner) ? (inner as readonly ContentBlock[]) : [];
}
