// Takes prompts and messages apart. Imports no schemas, so that a page that uses this doesn't load any.
import type { ContentBlock, Prompt, ShownFile } from './content.ts';

/** The text of a prompt, without its images and files. */
export function promptText(prompt: Prompt): string {
  return prompt.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

export function filesIn(prompt: Prompt): ShownFile[] {
  return prompt.flatMap((part) => (part.type === 'file' ? [toShownFile(part)] : []));
}

export function toShownFile({ name, mediaType, size }: ShownFile): ShownFile {
  return { name, mediaType, size };
}

const attachedFile = 'Attached file: ';

/** A prompt for an engine that finds its files by path: one line for each, after the text. */
export function withAttachedPaths(text: string, paths: readonly string[]): string {
  const lines = paths.map((path) => attachedFile + path).join('\n');
  return text.trim() === '' ? lines : `${text}\n\n${lines}`;
}

/** The reverse of `withAttachedPaths`. Lines in the middle of a text are part of the text. */
export function splitAttachedPaths(text: string): {
  readonly text: string;
  readonly paths: readonly string[];
} {
  const lines = text.split('\n');
  const last = lines.findLastIndex((line) => !line.startsWith(attachedFile));
  const paths = lines.slice(last + 1).map((line) => line.slice(attachedFile.length));
  return paths.length === 0
    ? { text, paths }
    : {
        text: lines
          .slice(0, last + 1)
          .join('\n')
          .trimEnd(),
        paths,
      };
}

/** The text of a message, without tool calls, results and thinking. */
export function messageText(content: readonly ContentBlock[]): string {
  return content.flatMap((block) => (isText(block) ? [block.text] : [])).join('');
}

function isText(block: ContentBlock): block is ContentBlock & { text: string } {
  return block.type === 'text' && typeof block['text'] === 'string';
}
