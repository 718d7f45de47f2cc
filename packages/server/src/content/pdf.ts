// Finds out how many pages a PDF has and whether it is locked, before a model gets it. Reads the objects without
// parsing the whole file; pages may also be in compressed object streams.
import { inflateSync } from 'node:zlib';

export interface PdfFacts {
  /** Approximate; 0 if unknown. */
  readonly pages: number;
  /** It opens only with a password. */
  readonly isLocked: boolean;
}

/** How much of compressed objects is read. */
const maxInflated = 8 * 1024 * 1024;
const maxStreams = 5_000;

export function pdfFacts(bytes: Buffer): PdfFacts {
  const plain = bytes.toString('latin1');
  let objects = 0;
  let counted = 0;
  for (const text of [plain, ...objectStreams(bytes, plain)]) {
    objects += text.match(pageObject)?.length ?? 0;
    for (const [, count] of text.matchAll(/\/Count\s+(\d{1,7})/g)) counted = Math.max(counted, Number(count));
  }
  // A file that was saved several times contains its old pages too.
  const pages = counted > 0 ? Math.min(objects, counted) : objects;
  return { pages, isLocked: /\/Encrypt\s+\d+\s+\d+\s+R/.test(plain) };
}

const pageObject = /\/Type\s*\/Page(?![A-Za-z])/g;

function* objectStreams(bytes: Buffer, plain: string): Generator<string> {
  let left = maxInflated;
  let streams = 0;
  for (const { index } of plain.matchAll(/\/ObjStm\b/g)) {
    streams += 1;
    const start = /stream\r?\n/.exec(plain.slice(index, index + 2_000));
    if (!start || streams > maxStreams || left <= 0) continue;
    const from = index + start.index + start[0].length;
    const to = plain.indexOf('endstream', from);
    if (to < 0) continue;
    const text = inflated(bytes.subarray(from, to), left);
    left -= text.length;
    yield text;
  }
}

/** Empty if it is damaged, compressed in another way, or too large. */
function inflated(bytes: Buffer, most: number): string {
  try {
    return inflateSync(bytes, { maxOutputLength: most }).toString('latin1');
  } catch {
    return '';
  }
}
