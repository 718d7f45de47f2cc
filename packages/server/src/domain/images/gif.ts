// GIF: the size of the canvas follows the signature.
import { type ImageSize, sizeFrom } from './image-size.ts';

export function gifSize(bytes: Uint8Array): ImageSize | undefined {
  return sizeFrom(bytes, (view) => ({ width: view.getUint16(6, true), height: view.getUint16(8, true) }));
}
