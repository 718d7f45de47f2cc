// A prompt in the program's format.
import type { InputBlock } from '@parley/claude-cli';
import type { Prompt } from '@parley/protocol';

/** Text alone goes as text, because only then the program sees a command such as `/compact`. */
export function toUserContent(prompt: Prompt): string | readonly InputBlock[] {
  const texts = prompt.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  if (texts.length === prompt.length) return texts.join('\n');
  return prompt.map((part): InputBlock => {
    switch (part.type) {
      case 'text':
        return { type: 'text', text: part.text };
      case 'image':
        return { type: 'image', source: { type: 'base64', media_type: part.mediaType, data: part.data } };
      default:
        return part satisfies never;
    }
  });
}
