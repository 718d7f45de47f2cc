// Prepares a conversation for strangers: removes what looks like a secret, and the working directory.
import { maskSecrets } from '../../../content/mask-secrets.ts';
import type { ShareLink } from '../../../domain/share-links.ts';
import { type ExportHead, inputText } from './format.ts';
import type { ExportItem } from './read-items.ts';

export function maskedHead(
  { workingDir: _folder, ...head }: ExportHead,
  { isWhole }: Pick<ShareLink, 'isWhole'>,
  person: string,
): ExportHead {
  const title = isWhole ? maskSecrets(head.title) : head.words.excerpt;
  return { ...head, title, words: { ...head.words, you: person } };
}

export async function* masked(items: AsyncIterable<ExportItem>): AsyncGenerator<ExportItem> {
  for await (const item of items) yield maskedItem(item);
}

/** More than the page shows of a tool. */
const longest = 40_000;

function maskedItem(item: ExportItem): ExportItem {
  switch (item.kind) {
    case 'prompt':
      return {
        ...item,
        text: maskSecrets(item.text),
        files: item.files.map(({ name }) => ({ name: maskSecrets(name) })),
      };
    case 'tool':
      return { ...item, input: maskSecrets(inputText(item.input).slice(0, longest)) };
    case 'result':
      return { ...item, text: maskSecrets(item.text.slice(0, longest)) };
    case 'answer':
    case 'notice':
      return { ...item, text: maskSecrets(item.text) };
    default:
      return item satisfies never;
  }
}
