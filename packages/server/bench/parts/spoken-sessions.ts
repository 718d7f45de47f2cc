// Writes transcripts like those of real work: a sixth is what was said, the rest is files and tool results. Frequent
// words are in most messages, rare ones in few.
import { randomUUID } from 'node:crypto';
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** In one message of one session. */
export const rareWord = 'saffronrisotto';
const vocabulary = Array.from({ length: 20_000 }, (_, index) => `w${index.toString(36)}rd`);
/** The most frequent word, and a prefix that many words share. */
export const commonWord = vocabulary[0] ?? '';
export const manyWords = 'w1';

const spokenWords = 120;
const toolBytes = 8_000;

export function makeSpokenSessions(home: string, count: number, bytes: number): void {
  const random = seeded(7);
  for (let index = 0; index < count; index += 1) {
    const cwd = `/srv/project-${index % 20}`;
    const folder = join(home, '.claude/projects', cwd.replaceAll(/[^A-Za-z0-9]/g, '-'));
    mkdirSync(folder, { recursive: true });
    const sessionId = randomUUID();
    const file = openSync(join(folder, `${sessionId}.jsonl`), 'w');
    const add = (turn: number, role: 'user' | 'assistant', content: unknown) => {
      const timestamp = new Date(1_760_000_000_000 + index * 600_000 + turn * 1_000).toISOString();
      const fields = { isSidechain: false, uuid: randomUUID(), timestamp, cwd, sessionId, gitBranch: 'main' };
      return writeSync(file, `${JSON.stringify({ type: role, message: { role, content }, ...fields })}\n`);
    };
    let written = 0;
    for (let turn = 0; written < bytes; turn += 3) {
      const isFirst = turn === 0 && index === Math.floor(count / 2);
      written += add(turn, 'user', `${isFirst ? rareWord : ''} ${spoken(random)}`);
      written += add(turn + 1, 'assistant', [{ type: 'text', text: spoken(random) }]);
      const result = 'const value = 1;\n'.repeat(toolBytes / 17);
      written += add(turn + 2, 'user', [{ type: 'tool_result', tool_use_id: 'toolu_1', content: result }]);
    }
    closeSync(file);
  }
}

/** Picks words at the start of the vocabulary far more often, as in natural language. */
function spoken(random: () => number): string {
  return Array.from(
    { length: spokenWords },
    () => vocabulary[Math.floor(vocabulary.length ** random()) - 1],
  ).join(' ');
}

/** The same numbers in every run. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}
