// Finds sessions of a home by words in their messages, and the text around them. The words come from the index, the
// text from the transcript itself, so what is no longer there is not shown.
import { basename } from 'node:path';
import { messageOf, readTranscriptPage } from '@parley/claude-cli';
import { snippetOf, wordsOf } from '../../../../content/snippet.ts';
import type { FoundText } from '../../../../domain/code-sessions.ts';
import type { TranscriptMatch, TranscriptText } from '../../../../domain/transcript-text.ts';
import type { TranscriptIndexer } from './transcript-indexer.ts';

const maxWords = 32;
const maxSessions = 200;
/** A longer line contains an image, and isn't worth reading for its text. */
const longestLine = 1024 * 1024;

export interface FoundSessions {
  readonly matches: ReadonlyMap<string, TranscriptMatch>;
  readonly words: readonly string[];
  /** Whether the index has everything. */
  readonly isComplete: boolean;
}

export class TextSearch {
  readonly #home: string;
  readonly #indexer: Pick<TranscriptIndexer, 'catchUp'>;
  readonly #text: Pick<TranscriptText, 'find'>;

  constructor(home: string, indexer: Pick<TranscriptIndexer, 'catchUp'>, text: Pick<TranscriptText, 'find'>) {
    this.#home = home;
    this.#indexer = indexer;
    this.#text = text;
  }

  /** Returns the matches by session id. */
  async find(query: string, signal?: AbortSignal): Promise<FoundSessions> {
    const words = wordsOf(query).slice(0, maxWords);
    if (words.length === 0) return { matches: new Map(), words, isComplete: true };
    try {
      const isComplete = await this.#indexer.catchUp(signal);
      const found = await this.#text.find(this.#home, words, maxSessions);
      return { matches: new Map(found.map((match) => [idOf(match.file), match])), words, isComplete };
    } catch {
      // Titles can still be searched, for example on a full disk. The indexer reports the problem.
      signal?.throwIfAborted();
      return { matches: new Map(), words, isComplete: false };
    }
  }
}

/** Undefined if the transcript no longer says it there. */
export async function textOf(
  { file, offset }: TranscriptMatch,
  words: readonly string[],
): Promise<FoundText | undefined> {
  const page = await readTranscriptPage(file, { after: offset, limit: 1, maxLineBytes: longestLine }).catch(
    () => undefined,
  );
  const frame = page?.messages[0]?.frame;
  const message = frame && messageOf(frame);
  if (!message?.text || !frame?.uuid) return undefined;
  const { role, text } = message;
  return { message: frame.uuid, role, snippet: snippetOf(text, words) };
}

function idOf(file: string): string {
  return basename(file, '.jsonl');
}
