// Checks whether a model accepts an image. Detects the type from the bytes, never from the name, and reads the
// dimensions from the header without decoding anything. Pure.
import { type ImageAttachment, type ImageType, ParleyError, type PromptPart } from '@parley/protocol';
import { gifSize, type ImageSize, jpegSize, pngSize, webpSize } from './image-size.ts';

/** What the Anthropic API accepts: 5 MiB as base64, and 8,000 pixels on a side. */
export const imageLimits = { base64Length: 5 * 1024 * 1024, side: 8_000, pixels: 50_000_000 };
/** The largest image in words, without the base64 around it. */
export const largestImage = `${(imageLimits.base64Length * 3) / 4 / 1024 ** 2} MiB`;

type ImagePart = Extract<PromptPart, { type: 'image' }>;

/** An image that a person sent. Throws `invalid` or `too_large` with a sentence when no model would accept it. */
export function checkImage({ data, media_type: declared }: ImageAttachment): ImagePart {
  const image = readImage(data);
  if (declared.trim().toLowerCase() === image.mediaType) return image;
  throw new ParleyError(
    'invalid',
    `The image is declared as ${declared.slice(0, 80)}, but its bytes are ${image.mediaType}.`,
  );
}

/** An image as base64, judged by its bytes alone. Throws as `checkImage` does. */
export function readImage(data: string): ImagePart {
  if (data.length > imageLimits.base64Length) throw tooManyBytes;
  if (!isBase64(data)) throw notBase64;
  const found = recognizeImage(Buffer.from(data, 'base64'));
  if (!found) throw unknownFormat;
  const { mediaType, size } = found;
  if (!size || size.width === 0 || size.height === 0) throw broken;
  const { side, pixels } = imageLimits;
  if (Math.max(size.width, size.height) > side || size.width * size.height > pixels)
    throw tooManyPixels(size);
  return { type: 'image', mediaType, data };
}

interface Recognized {
  readonly mediaType: ImageType;
  readonly size: ImageSize | undefined;
}

/** Undefined if the bytes are not an image that browsers and models can read. */
export function recognizeImage(bytes: Buffer): Recognized | undefined {
  // Not a TextDecoder: its `latin1` is windows-1252, where byte 0x89 of a PNG is U+2030.
  const head = bytes.toString('latin1', 0, 12);
  if (head.startsWith('\xff\xd8\xff')) return { mediaType: 'image/jpeg', size: jpegSize(bytes) };
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return { mediaType: 'image/png', size: pngSize(bytes) };
  if (/^GIF8[79]a/.test(head)) return { mediaType: 'image/gif', size: gifSize(bytes) };
  if (/^RIFF[\s\S]{4}WEBP/.test(head)) return { mediaType: 'image/webp', size: webpSize(bytes) };
  return undefined;
}

/** Looks for what doesn't belong there: a pattern for all of it would overflow the stack of newer versions of Node. */
export function isBase64(data: string): boolean {
  return data !== '' && data.length % 4 === 0 && !/[^A-Za-z0-9+/]/.test(data.replace(/={1,2}$/, ''));
}

const notBase64 = new ParleyError(
  'invalid',
  'The image is not valid base64. Send its bytes as base64, without a data URL prefix.',
);
const unknownFormat = new ParleyError(
  'invalid',
  'The image format is not supported. Send a JPEG, PNG, GIF or WebP.',
);
const broken = new ParleyError('invalid', 'The image is damaged: its header has no valid size.');
const tooManyBytes = new ParleyError(
  'too_large',
  `The image is larger than ${largestImage}. Send a smaller one.`,
);

function tooManyPixels({ width, height }: ImageSize): ParleyError {
  const { side, pixels } = imageLimits;
  return new ParleyError(
    'too_large',
    `The image is ${width} × ${height} pixels. Send one with at most ${side} pixels per side and ${pixels / 1e6} million pixels in total.`,
  );
}
