// Turns a prompt into the message that the model gets. Files that a model can read become documents. Pure.
import { type ContentBlock, type Message, ParleyError, type Prompt, type PromptFile } from '@parley/protocol';
import { fileText, isPdf } from '../../content/check-file.ts';
import { pdfFacts } from '../../content/pdf.ts';
import { estimateTokens } from './trimming.ts';

/** What the service takes in one request. */
const maxPages = 100;

export function toMessage(prompt: Prompt): Message {
  const content = prompt.flatMap((part): ContentBlock[] => {
    switch (part.type) {
      case 'text':
        return part.text.trim() === '' ? [] : [{ type: 'text', text: part.text }];
      case 'image':
        return [{ type: 'image', source: { type: 'base64', media_type: part.mediaType, data: part.data } }];
      case 'file':
        return [{ type: 'document', title: part.name, source: sourceOf(part) }];
      default:
        return part satisfies never;
    }
  });
  return { role: 'user', content };
}

/** Throws `invalid` or `too_large` for a file that no model can read. */
export function checkFiles(prompt: Prompt, contextTokens: number): void {
  let pages = 0;
  let tokens = 0;
  for (const file of prompt.filter((part) => part.type === 'file')) {
    if (isPdf(file)) pages += checkedPages(file);
    else tokens += estimateTokens(textOf(file));
  }
  if (pages > maxPages) {
    throw new ParleyError(
      'too_large',
      `The PDFs have ${pages} pages in total. A message can have at most ${maxPages}: send only the pages that matter.`,
    );
  }
  const most = Math.floor(contextTokens / 2);
  if (tokens > most) {
    throw new ParleyError(
      'too_large',
      `The text files are too long: about ${tokens} tokens, and a message can have at most ${most}. Send only the parts that matter.`,
    );
  }
}

function checkedPages(file: PromptFile): number {
  const { pages, isLocked } = pdfFacts(Buffer.from(file.data, 'base64'));
  if (isLocked)
    throw new ParleyError('invalid', `${file.name} is protected with a password. Send it without one.`);
  return pages;
}

function sourceOf(file: PromptFile) {
  if (isPdf(file)) return { type: 'base64', media_type: 'application/pdf', data: file.data };
  return { type: 'text', media_type: 'text/plain', data: textOf(file) };
}

function textOf(file: PromptFile): string {
  const text = fileText(file);
  if (text === undefined) {
    throw new ParleyError(
      'invalid',
      `${file.name} can’t be read here. Assistants read images, PDFs and text files; Claude Code takes any file.`,
    );
  }
  if (text.trim() === '') throw new ParleyError('invalid', `${file.name} is empty.`);
  return text;
}
