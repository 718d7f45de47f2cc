// What the readers of image headers give: the dimensions, or nothing where the header is damaged.

export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** The bytes as numbers; reading past the end throws a RangeError, which `sizeFrom` turns into nothing. */
export function sizeFrom(
  bytes: Uint8Array,
  read: (view: DataView) => ImageSize | undefined,
): ImageSize | undefined {
  try {
    return read(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
