// Looks through the middle of a long transcript that the first reading passed over, so that in the end the
// facts are those of a full reading. Streams in blocks and parses only lines of telling types.
import { open } from 'node:fs/promises';
import { LineSplitter } from '../frames/line-splitter.ts';
import { topLevelType } from '../frames/top-level-fields.ts';
import { foldLine, isTellingType } from './fold-facts.ts';
import { readFully } from './read-fully.ts';
import { joinFacts, type SessionFacts, type SessionRecord } from './session-record.ts';

const BLOCK = 1024 * 1024;

/** The same record without its gap. */
export async function closeGap(record: SessionRecord, signal?: AbortSignal): Promise<SessionRecord> {
  if (!record.gap) return record;
  const [from, to] = record.gap;
  const middle: SessionFacts = {};
  const splitter = new LineSplitter({
    onLine: (line) => {
      if (isTellingType(topLevelType(line))) foldLine(middle, line);
    },
  });

  const file = await open(record.file, 'r');
  try {
    for (let position = from; position < to; position += BLOCK) {
      signal?.throwIfAborted();
      splitter.push(await readFully(file, position, Math.min(BLOCK, to - position)));
    }
  } finally {
    await file.close();
  }
  const facts = joinFacts(joinFacts(record.before, middle), record.after);
  return { ...record, gap: undefined, before: facts, after: {} };
}
