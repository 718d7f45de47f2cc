// Reads a body up to a limit.

export interface ReadBody {
  readonly bytes: Buffer;
  /** False if there was more than the limit. */
  readonly isWhole: boolean;
}

/** Stops at the limit, which closes the source. Rejects if the source fails. */
export async function readUpTo(body: AsyncIterable<Uint8Array>, most: number): Promise<ReadBody> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size > most) break;
  }
  return { bytes: Buffer.concat(chunks).subarray(0, most), isWhole: size <= most };
}
