// The smallest files with a type and a size: enough for code that reads only headers.

export type Made = { readonly media_type: string; readonly data: string };

export function png(width: number, height: number): Made {
  const size = Buffer.alloc(8);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  return made('image/png', '\x89PNG\r\n\x1a\n', [0, 0, 0, 13], 'IHDR', size, [8, 6, 0, 0, 0]);
}

export function gif(width: number, height: number, version = '89a'): Made {
  return made('image/gif', `GIF${version}`, uint16le(width), uint16le(height), [0, 0, 0]);
}

/** With metadata and fill bytes before the frame, as cameras write it. */
export function jpeg(width: number, height: number, frame = 0xc0): Made {
  const metadata = [0xff, 0xe1, 0, 8, 0xff, 0xc0, 1, 2, 3, 4];
  const head = [0xff, 0xff, frame, 0, 11, 8, ...uint16be(height), ...uint16be(width), 1];
  return made('image/jpeg', [0xff, 0xd8], metadata, head);
}

export function webp(kind: 'lossy' | 'lossless' | 'extended', width: number, height: number): Made {
  const riff = (chunk: string, body: readonly number[]) =>
    made('image/webp', 'RIFF', [0, 0, 0, 0], 'WEBP', chunk, [0, 0, 0, 0], body);
  switch (kind) {
    case 'lossy':
      return riff('VP8 ', [0, 0, 0, 0x9d, 0x01, 0x2a, ...uint16le(width), ...uint16le(height | 0x4000)]);
    case 'lossless': {
      const bits = Buffer.alloc(4);
      bits.writeUInt32LE(((width - 1) | ((height - 1) << 14)) >>> 0);
      return riff('VP8L', [0x2f, ...bits]);
    }
    case 'extended':
      return riff('VP8X', [0, 0, 0, 0, ...uint24le(width - 1), ...uint24le(height - 1)]);
    default:
      return kind satisfies never;
  }
}

export function made(media_type: string, ...parts: readonly (string | Iterable<number>)[]): Made {
  const bytes = parts.map((part) =>
    typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from([...part]),
  );
  return { media_type, data: Buffer.concat(bytes).toString('base64') };
}

function uint16le(value: number): number[] {
  return [value & 255, (value >> 8) & 255];
}

function uint16be(value: number): number[] {
  return uint16le(value).reverse();
}

function uint24le(value: number): number[] {
  return [...uint16le(value), (value >> 16) & 255];
}
