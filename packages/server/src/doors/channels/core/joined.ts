// Somebody sends several pictures as one message, and the service brings them one by one: here they become one again.
import type { Prompt } from '@parley/protocol';
import type { Inbound } from './channel.ts';

/** Under the key of the first part, with the words and pictures of all of them. */
export function joined(first: Inbound, others: readonly Inbound[]): Inbound {
  if (others.length === 0) return first;
  const contents = [first, ...others].flatMap(({ content }) => (content.kind === 'text' ? content : []));
  const texts = contents.map(({ text }) => text).filter((text) => text !== '');
  return {
    ...first,
    content: {
      kind: 'text',
      text: texts.join('\n\n'),
      loadImages: async (signal) => {
        const images = await Promise.all(contents.map(async ({ loadImages }) => loadImages?.(signal) ?? []));
        return images.flat();
      },
    },
  };
}

/** Each part has one. */
export function picturesIn(prompt: Prompt): number {
  return prompt.filter(({ type }) => type === 'image').length;
}
