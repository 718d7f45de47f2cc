// Makes a silent video from pictures. The browser encodes it as VP9; this makes a WebM file in which players can seek.
import type { Page } from 'playwright-core';

/** A frame of the browser's encoder. */
interface EncodedFrame {
  readonly data: string;
  readonly ms: number;
  readonly isKey: boolean;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

const framesPerSecond = 10;
/** Seeking can start only at a key frame. */
const secondsBetweenKeys = 4;
/** From 0, the best, to 63. The same for all frames, so that colors don't flicker when a page changes. */
const quantizer = 28;

/** `studio` is a page with a secure origin, which browsers require for encoding. */
export async function encodeVideo(
  studio: Page,
  frames: readonly { readonly png: Buffer; readonly ms: number }[],
  size: Size,
): Promise<Buffer> {
  const encoder = await studio.evaluateHandle(openEncoder, { ...size, framesPerSecond, quantizer });
  const totalMs = frames.reduce((sum, { ms }) => sum + ms, 0);
  let [at, endMs] = [0, frames[0]?.ms ?? 0];
  let png = '';
  for (let ms = 0, count = 0; ms < totalMs; ms += 1000 / framesPerSecond, count += 1) {
    const isNew = ms >= endMs || count === 0;
    while (ms >= endMs && at + 1 < frames.length) {
      at += 1;
      endMs += frames[at]?.ms ?? 0;
    }
    // A frame that doesn't change is encoded again, and gets sharper.
    png = isNew ? (frames[at]?.png.toString('base64') ?? '') : '';
    const isKey = count % (framesPerSecond * secondsBetweenKeys) === 0;
    await encoder.evaluate((open, next) => open.add(next), { png, ms, isKey });
  }
  return webm(await encoder.evaluate((open) => open.finish()), size, totalMs);
}

/** Runs in the studio. */
function openEncoder({
  width,
  height,
  framesPerSecond: framerate,
  quantizer: vp9Quantizer,
}: Size & { readonly framesPerSecond: number; readonly quantizer: number }) {
  const encoded: EncodedFrame[] = [];
  const encoder = new VideoEncoder({
    output(chunk) {
      const bytes = new Uint8Array(chunk.byteLength);
      chunk.copyTo(bytes);
      const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
      encoded.push({ data: btoa(letters), ms: chunk.timestamp / 1000, isKey: chunk.type === 'key' });
    },
    error(problem) {
      throw problem;
    },
  });
  encoder.configure({ codec: 'vp09.00.31.08', width, height, framerate, bitrateMode: 'quantizer' });
  let picture: ImageBitmap | undefined;
  return {
    async add({ png, ms, isKey }: { png: string; ms: number; isKey: boolean }): Promise<void> {
      if (png !== '') {
        const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
        picture = await createImageBitmap(new Blob([bytes]));
      }
      if (!picture) return;
      const frame = new VideoFrame(picture, { timestamp: ms * 1000 });
      // The types don't know `vp9` yet.
      const options = { keyFrame: isKey, vp9: { quantizer: vp9Quantizer } };
      encoder.encode(frame, options);
      frame.close();
    },
    async finish(): Promise<readonly EncodedFrame[]> {
      await encoder.flush();
      return encoded;
    },
  };
}

/** The element ids of the WebM format. */
const id = {
  head: 0x1a45dfa3,
  version: 0x4286,
  readVersion: 0x42f7,
  longestId: 0x42f2,
  longestSize: 0x42f3,
  type: 0x4282,
  typeVersion: 0x4287,
  typeReadVersion: 0x4285,
  segment: 0x18538067,
  info: 0x1549a966,
  timeScale: 0x2ad7b1,
  duration: 0x4489,
  writtenBy: 0x4d80,
  app: 0x5741,
  tracks: 0x1654ae6b,
  track: 0xae,
  trackNumber: 0xd7,
  trackId: 0x73c5,
  trackType: 0x83,
  codec: 0x86,
  video: 0xe0,
  width: 0xb0,
  height: 0xba,
  cues: 0x1c53bb6b,
  cue: 0xbb,
  cueTime: 0xb3,
  cuePlaces: 0xb7,
  cueTrack: 0xf7,
  cuePlace: 0xf1,
  cluster: 0x1f43b675,
  clusterTime: 0xe7,
  block: 0xa3,
};

function webm(frames: readonly EncodedFrame[], { width, height }: Size, totalMs: number): Buffer {
  const head = element(
    id.head,
    number(id.version, 1),
    number(id.readVersion, 1),
    number(id.longestId, 4),
    number(id.longestSize, 8),
    text(id.type, 'webm'),
    number(id.typeVersion, 4),
    number(id.typeReadVersion, 2),
  );
  const duration = Buffer.alloc(8);
  duration.writeDoubleBE(totalMs);
  const info = element(
    id.info,
    number(id.timeScale, 1_000_000),
    element(id.duration, duration),
    text(id.writtenBy, 'Parley'),
    text(id.app, 'Parley'),
  );
  const tracks = element(
    id.tracks,
    element(
      id.track,
      number(id.trackNumber, 1),
      number(id.trackId, 1),
      number(id.trackType, 1),
      text(id.codec, 'V_VP9'),
      element(id.video, number(id.width, width), number(id.height, height)),
    ),
  );
  const clusters = clustersOf(frames);
  // Offsets have a fixed size, so the position of the first cluster doesn't depend on their values.
  const before = info.length + tracks.length + cuesOf(clusters, 0).length;
  return Buffer.concat([
    head,
    element(id.segment, info, tracks, cuesOf(clusters, before), ...clusters.map(({ bytes }) => bytes)),
  ]);
}

interface Cluster {
  readonly ms: number;
  readonly bytes: Buffer;
}

/** Each starts with a key frame. */
function clustersOf(frames: readonly EncodedFrame[]): readonly Cluster[] {
  const starts = frames.flatMap(({ isKey }, at) => (isKey ? [at] : []));
  return starts.map((start, at) => {
    const own = frames.slice(start, starts[at + 1]);
    const ms = own[0]?.ms ?? 0;
    const blocks = own.map((frame) => {
      const about = Buffer.from([0x81, 0, 0, frame.isKey ? 0x80 : 0]);
      about.writeInt16BE(frame.ms - ms, 1);
      return element(id.block, about, Buffer.from(frame.data, 'base64'));
    });
    return { ms, bytes: element(id.cluster, number(id.clusterTime, ms), ...blocks) };
  });
}

function cuesOf(clusters: readonly Cluster[], first: number): Buffer {
  let place = first;
  const cues = clusters.map(({ ms, bytes }) => {
    const places = element(id.cuePlaces, number(id.cueTrack, 1), number(id.cuePlace, place));
    place += bytes.length;
    return element(id.cue, number(id.cueTime, ms), places);
  });
  return element(id.cues, ...cues);
}

/** All sizes take eight bytes. */
function element(name: number, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content);
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE(BigInt(body.length) | (1n << 56n));
  const hex = name.toString(16);
  return Buffer.concat([Buffer.from(hex, 'hex'), size, body]);
}

function number(name: number, value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(Math.round(value)));
  return element(name, bytes);
}

function text(name: number, value: string): Buffer {
  return element(name, Buffer.from(value, 'utf8'));
}
