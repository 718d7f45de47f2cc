// JPEG: segments follow each other until the one that begins the frame, which has height and width.
import { type ImageSize, sizeFrom } from './image-size.ts';

export function jpegSize(bytes: Uint8Array): ImageSize | undefined {
  return sizeFrom(bytes, (view) => {
    let at = 2;
    for (;;) {
      if (view.getUint8(at) !== 0xff) return undefined;
      const marker = view.getUint8(at + 1);
      // Any number of fill bytes may stand before a marker.
      if (marker === 0xff) {
        at += 1;
        continue;
      }
      if (isFrame(marker)) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
      if (marker === startOfScan || marker === endOfImage) return undefined;
      at += 2 + (isBare(marker) ? 0 : view.getUint16(at + 2));
    }
  });
}

const startOfScan = 0xda;
const endOfImage = 0xd9;

/** The frames of all coding processes; the gaps in their numbers are tables. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

/** Markers without a segment. */
function isBare(marker: number): boolean {
  return marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
}
