// Reads the dimensions of an image from its header. Undefined when the header is damaged.

export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** The size of the canvas follows the signature. */
export function gifSize(bytes: Uint8Array): ImageSize | undefined {
  return sizeFrom(bytes, (view) => ({ width: view.getUint16(6, true), height: view.getUint16(8, true) }));
}

/** The first chunk is the header, with width and height. */
export function pngSize(bytes: Uint8Array): ImageSize | undefined {
  const headerChunk = 0x49484452;
  return sizeFrom(bytes, (view) =>
    view.getUint32(12) === headerChunk
      ? { width: view.getUint32(16), height: view.getUint32(20) }
      : undefined,
  );
}

/** Segments follow each other until the one that starts the frame, which has height and width. */
export function jpegSize(bytes: Uint8Array): ImageSize | undefined {
  const startOfScan = 0xda;
  const endOfImage = 0xd9;
  return sizeFrom(bytes, (view) => {
    let at = 2;
    for (;;) {
      if (view.getUint8(at) !== 0xff) return undefined;
      const marker = view.getUint8(at + 1);
      // Any number of fill bytes may precede a marker.
      if (marker === 0xff) {
        at += 1;
        continue;
      }
      if (isFrame(marker)) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
      if (marker === startOfScan || marker === endOfImage) return undefined;
      at += 2 + (hasSegment(marker) ? view.getUint16(at + 2) : 0);
    }
  });
}

/** The frames of all coding processes; the gaps in their numbers are tables. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

function hasSegment(marker: number): boolean {
  return marker !== 0x01 && (marker < 0xd0 || marker > 0xd8);
}

/** The first chunk names the kind of coding, and each kind stores the dimensions in its own bits. */
export function webpSize(bytes: Uint8Array): ImageSize | undefined {
  const lossy = 0x56503820;
  const lossless = 0x5650384c;
  const extended = 0x56503858;
  return sizeFrom(bytes, (view) => {
    switch (view.getUint32(12)) {
      case lossy:
        return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
      case lossless: {
        const bits = view.getUint32(21, true);
        return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
      }
      case extended:
        return { width: uint24(view, 24) + 1, height: uint24(view, 27) + 1 };
      default:
        return undefined;
    }
  });
}

function uint24(view: DataView, at: number): number {
  return view.getUint16(at, true) + view.getUint8(at + 2) * 0x10000;
}

/** Reading past the end throws a RangeError, which means a damaged header. */
function sizeFrom(bytes: Uint8Array, read: (view: DataView) => ImageSize | undefined): ImageSize | undefined {
  try {
    return read(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
