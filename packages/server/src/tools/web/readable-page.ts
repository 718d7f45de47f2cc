// Converts HTML to Markdown with a title, in a separate thread with limits on time and memory, so that no page can block
// the server. A page that exceeds the limits becomes plain text.
import { Slots } from '../../basics/slots.ts';
import { WorkerThread } from '../../basics/worker-thread.ts';
import { type Logger, silentLogger } from '../../domain/logger.ts';

interface ReadablePage {
  readonly title: string;
  readonly markdown: string;
}

interface PageSource {
  readonly html: string;
  readonly url: string;
}

export interface ReadablePageOptions {
  readonly timeoutMs?: number;
  readonly logger?: Logger;
}

export type ReadPage = (html: string, url: string, signal: AbortSignal) => Promise<ReadablePage>;

const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 64 };
/** Threads that run at the same time; other pages wait. */
const maxAtOnce = 2;

export function createPageReader({
  timeoutMs = 5_000,
  logger = silentLogger,
}: ReadablePageOptions = {}): ReadPage {
  const slots = new Slots(maxAtOnce);
  return async (html, url, signal) => {
    if (!(await slots.take({ signal }))) throw signal.reason;
    try {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
      const page = await readInThread({ html, url }, limit);
      return { title: page.title, markdown: tidy(page.markdown) };
    } catch (thrown) {
      if (signal.aborted) throw signal.reason;
      logger.warn({ err: thrown, url }, 'a page exceeded the limits of the reader and became plain text');
      return plainText(html);
    } finally {
      slots.release();
    }
  };
}

/** Each page gets a thread of its own, with all of the memory. */
function readInThread(source: PageSource, signal: AbortSignal): Promise<ReadablePage> {
  const module = new URL('./readable-worker.mjs', import.meta.url);
  const thread = new WorkerThread<PageSource, ReadablePage>({ module, idleMs: 0, resourceLimits });
  return thread.call(source, signal);
}

/** Removes the tags in one pass; a tag that never ends is only read up to the next one. */
function plainText(html: string): ReadablePage {
  const title = decodeEntities(/<title[^<>]{0,200}>([^<]{0,500})/i.exec(html)?.[1] ?? '').trim();
  const text = html
    .replaceAll(/<(script|style|noscript|template)\b[\s\S]*?(<\/\1\s*>|$)/gi, ' ')
    .replaceAll(/<!--[\s\S]*?(-->|$)/g, ' ')
    .replaceAll(/<\/?(p|div|br|li|tr|h[1-6]|section|article|ul|ol|table|pre|blockquote)\b[^<>]*>/gi, '\n')
    .replaceAll(/<[a-z/!?][^<>]*>/gi, ' ')
    .replaceAll(/[ \t]+/g, ' ');
  return { title, markdown: tidy(decodeEntities(text)) };
}

function tidy(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

function decodeEntities(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,6})|(\w{2,6}));/g, (whole, code: string | undefined, name: string) =>
    code === undefined ? (entities[name] ?? whole) : String.fromCodePoint(Number(code)),
  );
}
