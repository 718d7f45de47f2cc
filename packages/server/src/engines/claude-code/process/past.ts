// What the program recorded of a session: whether there is something to resume, and what it has cost so far.
import { open, stat } from 'node:fs/promises';
import { findTranscript, topLevelType, transcriptPath } from '@parley/claude-cli';

export interface Past {
  readonly file: string;
  /** What the session cost according to the program; undefined if its last note is far from the end of the file. */
  readonly spentUsd: number | undefined;
}

/** Undefined if there is no transcript. */
export async function pastOf(projects: string, workingDir: string, id: string): Promise<Past | undefined> {
  const usual = transcriptPath(projects, workingDir, id);
  const isThere = await stat(usual).then(
    (found) => found.isFile(),
    () => false,
  );
  const file = isThere ? usual : await findTranscript(projects, id);
  return file === undefined ? undefined : { file, spentUsd: await lastCost(file) };
}

/** The program notes its costs when it ends, so the note is near the end of the file. */
const tailBytes = 1024 * 1024;
const newline = 0x0a;

async function lastCost(path: string): Promise<number | undefined> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const length = Math.min(size, tailBytes);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length);
    const tail = buffer.subarray(0, bytesRead);
    for (let end = tail.length; end > 0; ) {
      const start = tail.lastIndexOf(newline, end - 2) + 1;
      const cost = costIn(tail.subarray(start, end));
      if (cost !== undefined) return cost;
      end = start;
    }
    return size <= tailBytes ? 0 : undefined;
  } finally {
    await file.close();
  }
}

function costIn(line: Buffer): number | undefined {
  if (topLevelType(line) !== 'cost-state') return undefined;
  try {
    const { totalCostUSD } = JSON.parse(line.toString()) as { totalCostUSD?: unknown };
    return typeof totalCostUSD === 'number' ? totalCostUSD : undefined;
  } catch {
    return undefined;
  }
}
