// WebP: the first chunk tells the kind of coding, and each kind has the dimensions in its own bits.
import { type ImageSize, sizeFrom } from './image-size.ts';

const lossy = 0x56503820;
const lossless = 0x5650384c;
const extended = 0x56503858;

export function webpSize(bytes: Uint8Array): ImageSize | undefined {
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
