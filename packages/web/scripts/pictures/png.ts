// Makes small PNG files from screenshots: at most 256 colors, which is more than our pages have in flat areas. Several
// frames make an animated PNG, which browsers show like any picture. Pure.
import { crc32, deflateSync, inflateSync } from 'node:zlib';

export interface Picture {
  readonly width: number;
  readonly height: number;
  /** Each as 0xRRGGBB. */
  readonly pixels: Uint32Array;
}

export interface Frame {
  readonly picture: Picture;
  readonly ms: number;
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const transparent = 255;
const maxColors = 255;

/** Reads what a browser writes: 8 bits for each color, with or without transparency, not interlaced. */
export function readPng(png: Buffer): Picture {
  const [header, parts] = chunksOf(png);
  const width = header.readUInt32BE(0);
  const height = header.readUInt32BE(4);
  const size = { 2: 3, 6: 4 }[header.readUInt8(9)];
  if (size === undefined || header.readUInt8(8) !== 8)
    throw new Error('Only PNGs with 8 bits for each color can be read.');
  const bytes = inflateSync(Buffer.concat(parts));
  const line = width * size;
  const pixels = new Uint32Array(width * height);
  let above = new Uint8Array(line);
  for (let y = 0; y < height; y += 1) {
    const start = y * (line + 1);
    const row = unfiltered(bytes[start] ?? 0, bytes.subarray(start + 1, start + 1 + line), above, size);
    for (let x = 0; x < width; x += 1) {
      const at = x * size;
      pixels[y * width + x] = ((row[at] ?? 0) << 16) | ((row[at + 1] ?? 0) << 8) | (row[at + 2] ?? 0);
    }
    above = row;
  }
  return { width, height, pixels };
}

/** The header and the data. */
function chunksOf(png: Buffer): [Buffer, readonly Buffer[]] {
  const data: Buffer[] = [];
  let header = png.subarray(0, 0);
  for (let at = signature.length; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    const body = png.subarray(at + 8, at + 8 + length);
    if (type === 'IHDR') header = body;
    if (type === 'IDAT') data.push(body);
    at += length + 12;
  }
  return [header, data];
}

function unfiltered(
  filter: number,
  bytes: Uint8Array,
  above: Uint8Array,
  size: number,
): Uint8Array<ArrayBuffer> {
  const row = new Uint8Array(bytes);
  for (let at = 0; at < row.length; at += 1) {
    const left = at < size ? 0 : (row[at - size] ?? 0);
    const up = above[at] ?? 0;
    const corner = at < size ? 0 : (above[at - size] ?? 0);
    const guesses = [0, left, up, (left + up) >> 1, nearest(left, up, corner)];
    row[at] = (row[at] ?? 0) + (guesses[filter] ?? 0);
  }
  return row;
}

function nearest(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

export function writePng(picture: Picture): Buffer {
  return writeAnimation([{ picture, ms: 0 }]);
}

/** Repeats forever. After the first frame, only what changed is stored. */
export function writeAnimation(frames: readonly Frame[]): Buffer {
  const first = frames[0]?.picture;
  if (!first) throw new Error('An animation needs a frame.');
  const colors = fewColors(frames.map(({ picture }) => picture));
  const indexes = indexOf(frames, colors);
  const isAnimated = frames.length > 1;
  const chunks = [
    chunk('IHDR', numbers([4, first.width], [4, first.height], [1, 8], [1, 3], [1, 0], [1, 0], [1, 0])),
    ...(isAnimated ? [chunk('acTL', numbers([4, frames.length], [4, 0]))] : []),
    chunk('PLTE', Buffer.concat(colors.map((color) => numbers([1, color >> 16], [2, color & 0xffff])))),
    // One entry for each color, all opaque, and the transparent one.
    ...(isAnimated ? [chunk('tRNS', Buffer.alloc(maxColors + 1, 255).fill(0, transparent))] : []),
  ];
  let sequence = 0;
  let before: Picture | undefined;
  for (const { picture, ms } of frames) {
    const box = before ? changedBox(before, picture) : whole(picture);
    const data = deflateSync(rows(picture, before, box, indexes), { level: 9 });
    if (isAnimated) {
      const blend = before ? 1 : 0;
      const control = numbers([4, sequence], [4, box.width], [4, box.height], [4, box.left], [4, box.top]);
      chunks.push(chunk('fcTL', control, numbers([2, ms], [2, 1000], [1, 0], [1, blend])));
      sequence += 1;
    }
    if (before) {
      chunks.push(chunk('fdAT', numbers([4, sequence]), data));
      sequence += 1;
    } else chunks.push(chunk('IDAT', data));
    before = picture;
  }
  return Buffer.concat([signature, ...chunks, chunk('IEND')]);
}

/** The most frequent colors. Similar ones are left out, but only as many as needed. */
function fewColors(pictures: readonly Picture[]): readonly number[] {
  const counts = new Map<number, number>();
  for (const { pixels } of pictures)
    for (const color of pixels) counts.set(color, (counts.get(color) ?? 0) + 1);
  const byCount = [...counts].toSorted(([, a], [, b]) => b - a).map(([color]) => color);
  for (let closest = 0; ; closest += 2) {
    const chosen: number[] = [];
    for (const color of byCount) {
      if (chosen.every((other) => distance(color, other) > closest)) chosen.push(color);
      if (chosen.length > maxColors) break;
    }
    if (chosen.length <= maxColors)
      return [...chosen, ...Array<number>(maxColors + 1 - chosen.length).fill(0)];
  }
}

function distance(one: number, other: number): number {
  return Math.hypot(
    (one >> 16) - (other >> 16),
    ((one >> 8) & 255) - ((other >> 8) & 255),
    (one & 255) - (other & 255),
  );
}

/** For each color, the index of the closest one in the palette. */
function indexOf(frames: readonly Frame[], colors: readonly number[]): Uint8Array {
  const known = new Uint8Array(1 << 24).fill(transparent);
  for (const { picture } of frames)
    for (const color of picture.pixels)
      if (known[color] === transparent) {
        let best = 0;
        for (let at = 1; at < maxColors; at += 1)
          if (distance(color, colors[at] ?? 0) < distance(color, colors[best] ?? 0)) best = at;
        known[color] = best;
      }
  return known;
}

interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

const whole = ({ width, height }: Picture): Box => ({ left: 0, top: 0, width, height });

function changedBox(before: Picture, { width, height, pixels }: Picture): Box {
  let [left, top, right, bottom] = [width, height, 0, 0];
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      if (pixels[y * width + x] !== before.pixels[y * width + x]) {
        left = Math.min(left, x);
        right = Math.max(right, x + 1);
        top = Math.min(top, y);
        bottom = y + 1;
      }
  // A frame has at least one pixel.
  return right === 0
    ? { left: 0, top: 0, width: 1, height: 1 }
    : { left, top, width: right - left, height: bottom - top };
}

/** Lines without a filter, which suits few colors. Unchanged pixels are transparent. */
function rows(picture: Picture, before: Picture | undefined, box: Box, indexes: Uint8Array): Buffer {
  const bytes = Buffer.alloc((box.width + 1) * box.height);
  for (let y = 0; y < box.height; y += 1)
    for (let x = 0; x < box.width; x += 1) {
      const at = (box.top + y) * picture.width + box.left + x;
      const color = picture.pixels[at] ?? 0;
      const isSame = before !== undefined && before.pixels[at] === color;
      bytes[y * (box.width + 1) + 1 + x] = isSame ? transparent : (indexes[color] ?? 0);
    }
  return bytes;
}

function chunk(type: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), ...parts]);
  return Buffer.concat([numbers([4, body.length - 4]), body, numbers([4, crc32(body)])]);
}

/** Big endian, each with its size in bytes. */
function numbers(...values: readonly (readonly [size: number, value: number])[]): Buffer {
  return Buffer.concat(
    values.map(([size, value]) => {
      const bytes = Buffer.alloc(size);
      bytes.writeUIntBE(value, 0, size);
      return bytes;
    }),
  );
}
