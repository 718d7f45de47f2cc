// Copies a transcript under the id of a new session, which shares the past and then continues on its own. Copies only
// whole lines, so the program may keep writing to the original.
import { dirname, join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { LineSplitter, openReal } from '@parley/claude-cli';
import { replaceFile } from '../../../basics/atomic-file.ts';

/** Called for each line. Returns the lines to copy now. */
type SelectLines = (line: Buffer) => readonly Buffer[];

/** Returns the path of the copy, next to the original. */
export async function forkTranscript(
  file: string,
  from: string,
  to: string,
  select: SelectLines = (line) => [line],
): Promise<string> {
  const copy = join(dirname(file), `${to}.jsonl`);
  await replaceFile(copy, async (draft) => {
    const original = (await openReal(file)).createReadStream();
    await pipeline(original, new Relabel(from, to, select), async (pieces: AsyncIterable<Buffer>) => {
      for await (const piece of pieces) await draft.writeFile(piece);
    });
  });
  return copy;
}

/**
 * Replaces the old id with the new one. Only keys match, because quotes inside the text of a message are escaped.
 */
class Relabel extends Transform {
  readonly #splitter: LineSplitter;

  constructor(from: string, to: string, select: SelectLines) {
    super();
    const labels = ['sessionId', 'session_id'].map(
      (key) => [`"${key}":"${from}"`, `"${key}":"${to}"`] as const,
    );
    this.#splitter = new LineSplitter({
      onLine: (line, _offset, isWhole) => {
        for (const copied of isWhole ? select(line) : []) {
          const text = copied.toString('latin1');
          const relabeled = labels.reduce((changed, [old, fresh]) => changed.replaceAll(old, fresh), text);
          this.push(Buffer.from(`${relabeled}\n`, 'latin1'));
        }
      },
      onOverlong: () => undefined,
    });
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#splitter.push(chunk);
    done();
  }

  override _flush(done: () => void): void {
    this.#splitter.end();
    done();
  }
}
