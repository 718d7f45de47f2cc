// PNG: the first chunk is the header, with width and height.
import { type ImageSize, sizeFrom } from './image-size.ts';

const headerChunk = 0x49484452;

export function pngSize(bytes: Uint8Array): ImageSize | undefined {
  return sizeFrom(bytes, (view) =>
    view.getUint32(12) === headerChunk
      ? { width: view.getUint32(16), height: view.getUint32(20) }
      : undefined,
  );
}
