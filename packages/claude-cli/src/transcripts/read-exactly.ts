// Looks at every line of a transcript that a quick look has passed over, so that in the end the facts are those
// of a full reading. Streams in blocks, and parses only lines of telling types.
import { open } from 'node:fs/promises';
import { LineSplitter } from '../frames/line-splitter.ts';
import { foldLine, lastBranch } from './fold-facts.ts';
import { readFully } from './read-fully.ts';
import type { SessionFacts, SessionRecord } from './session-record.ts';

const BLOCK = 1024 * 1024;

/** The same record with exact facts. */
export async function readExactly(record: SessionRecord, signal?: AbortSignal): Promise<SessionRecord> {
  const facts: SessionFacts = { lastPromptAt: record.facts.lastPromptAt };
  const splitter = new LineSplitter({ onLine: (line) => foldLine(facts, line) });
  const file = await open(record.file, 'r');
  try {
    for (let position = 0; position < record.readTo; position += BLOCK) {
      signal?.throwIfAborted();
      const block = await readFully(file, position, Math.min(BLOCK, record.readTo - position));
      splitter.push(block);
      facts.gitBranch = lastBranch(block) ?? facts.gitBranch;
    }
  } finally {
    await file.close();
  }
  return { ...record, isExact: true, facts };
}
