// Reads the last part of a transcript line by line, in the order in which it was written.
import { LineSplitter } from '../frames/line-splitter.ts';
import { openReal } from './real-file.ts';

const BLOCK_BYTES = 256 * 1024;

/** False if the file can't be read: the program deletes old transcripts. The first line may be cut. */
export async function readTail(
  transcript: string,
  tailBytes: number,
  onLine: (line: Buffer) => void,
): Promise<boolean> {
  const lines = new LineSplitter({ onLine });
  try {
    const file = await openReal(transcript);
    const { size } = await file.stat();
    const start = Math.max(0, size - tailBytes);
    // The stream closes the file.
    const bytes = file.createReadStream({ start, highWaterMark: BLOCK_BYTES });
    for await (const block of bytes) lines.push(block as Buffer);
  } catch {
    return false;
  }
  lines.end();
  return true;
}
