// Is it an image that a model takes? Told by its bytes, never by its name. Nothing is decoded: size and
// dimensions stand in the headers. Pure.
import { type ImageAttachment, type ImageType, ParleyError, type PromptPart } from '@parley/protocol';
import { gifSize } from './gif.ts';
import type { ImageSize } from './image-size.ts';
import { jpegSize } from './jpeg.ts';
import { pngSize } from './png.ts';
import { webpSize } from './webp.ts';

/** What the Anthropic API takes: 5 MiB as base64, and 8,000 pixels on a side. */
export const imageLimits = { base64Length: 5 * 1024 * 1024, side: 8_000, pixels: 50_000_000 };

type ImagePart = Extract<PromptPart, { type: 'image' }>;

/** An image that a person sent. Throws `invalid` with a sentence for what no model would take. */
export function checkImage({ data, media_type: declared }: ImageAttachment): ImagePart {
  const image = readImage(data);
  if (declared.trim().toLowerCase() === image.mediaType) return image;
  throw new ParleyError(
    'invalid',
    `The image is declared as ${declared.slice(0, 80)}, but its bytes are ${image.mediaType}.`,
  );
}

/** An image by its bytes alone, as base64. Throws as `checkImage` does. */
export function readImage(data: string): ImagePart {
  if (data.length > imageLimits.base64Length) throw tooManyBytes;
  const found = recognise(fromBase64(data));
  if (!found) throw unknownFormat;
  const { mediaType, size } = found;
  if (!size || size.width === 0 || size.height === 0) throw broken;
  const { side, pixels } = imageLimits;
  if (Math.max(size.width, size.height) > side || size.width * size.height > pixels)
    throw tooManyPixels(size);
  return { type: 'image', mediaType, data };
}

interface Recognised {
  readonly mediaType: ImageType;
  readonly size: ImageSize | undefined;
}

function recognise(bytes: Uint8Array): Recognised | undefined {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 12));
  if (head.startsWith('\xff\xd8\xff')) return { mediaType: 'image/jpeg', size: jpegSize(bytes) };
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return { mediaType: 'image/png', size: pngSize(bytes) };
  if (/^GIF8[79]a/.test(head)) return { mediaType: 'image/gif', size: gifSize(bytes) };
  if (/^RIFF[\s\S]{4}WEBP/.test(head)) return { mediaType: 'image/webp', size: webpSize(bytes) };
  return undefined;
}

function fromBase64(data: string): Uint8Array {
  if (data === '' || data.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(data)) throw notBase64;
  return Buffer.from(data, 'base64');
}

const notBase64 = new ParleyError(
  'invalid',
  'The image is not valid base64. Send its bytes as base64, without the prefix of a data URL.',
);
const unknownFormat = new ParleyError(
  'invalid',
  'The image is of a kind that cannot be read. Send a JPEG, PNG, GIF or WebP.',
);
const broken = new ParleyError('invalid', 'The image is damaged: it does not say how large it is.');
const tooManyBytes = new ParleyError('invalid', 'The image is larger than 3.75 MB. Send a smaller one.');

function tooManyPixels({ width, height }: ImageSize): ParleyError {
  const { side, pixels } = imageLimits;
  return new ParleyError(
    'invalid',
    `The image has ${width} × ${height} pixels. Send one of at most ${side} on a side and ${pixels / 1e6} million in all.`,
  );
}
