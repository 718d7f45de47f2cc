// Frames and lines that the real program wrote, for tests of what the page makes of them.
import { readFileSync } from 'node:fs';
import type { Frame } from '../src/code/model/read.ts';

/** One session with a word, a file read, edited and written, a refused and a failed command, a question, a subagent, a plan. */
export const tourFrames = read('./golden/code-tour.frames.jsonl');
/** What the program kept of the same session. */
export const tourLines = read('./golden/code-tour.transcript.jsonl');

export function golden(name: string): readonly Frame[] {
  return read(`../../claude-cli/test/events/golden/${name}.jsonl`);
}

function read(path: string): readonly Frame[] {
  return readFileSync(new URL(path, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Frame);
}
