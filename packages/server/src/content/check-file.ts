// A file that somebody sent with a message: gives it a safe name and detects what it is from its bytes. Pure.
import { type FileAttachment, ParleyError, type PromptFile, type PromptPart } from '@parley/protocol';
import { isBase64, readImage } from './check-image.ts';
import { cleanText } from './clean-text.ts';

/** For one message. The bytes are those of all images and files together, as base64: a model accepts 32 MB in all. */
export const attachmentLimits = { files: 10, base64Length: 25 * 1024 * 1024 };
export const largestAttachments = `${(attachmentLimits.base64Length * 3) / 4 / 1024 ** 2} MiB`;

const longestName = 200;

/** An image stays an image, because every engine accepts those. Throws `invalid` with a sentence. */
export function checkFile({ name: given, data, media_type: declared }: FileAttachment): PromptPart {
  const name = safeFileName(given);
  if (data === '') throw new ParleyError('invalid', `${name} is empty.`);
  if (!isBase64(data))
    throw new ParleyError(
      'invalid',
      `${name} is not valid base64. Send its bytes without a data URL prefix.`,
    );
  const bytes = Buffer.from(data, 'base64');
  const image = asImage(data, bytes);
  if (image) return image;
  return { type: 'file', name, mediaType: typeOf(bytes, declared), size: bytes.length, data };
}

/** Throws `too_large` with a sentence. */
export function checkTogether(prompt: readonly PromptPart[]): void {
  const bytes = prompt.reduce((sum, part) => sum + (part.type === 'text' ? 0 : part.data.length), 0);
  if (bytes > attachmentLimits.base64Length) throw tooLarge;
}

/** One path component without control characters, of at most 200 bytes. */
export function safeFileName(name: string): string {
  const plain = cleanText(name.split(/[/\\]/).at(-1) ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  if (/^\.*$/.test(plain)) return 'file';
  const ending = /\.[\p{L}\p{N}]{1,16}$/u.exec(plain)?.[0] ?? '';
  return (
    shortened(plain.slice(0, plain.length - ending.length), longestName - Buffer.byteLength(ending)) + ending
  );
}

/** The text of a file; undefined if it isn't text. */
export function fileText({ data }: Pick<PromptFile, 'data'>): string | undefined {
  return textIn(Buffer.from(data, 'base64'));
}

export function isPdf({ mediaType }: Pick<PromptFile, 'mediaType'>): boolean {
  return mediaType === 'application/pdf';
}

function typeOf(bytes: Buffer, declared = ''): string {
  if (bytes.subarray(0, 1_024).includes('%PDF-')) return 'application/pdf';
  if (textIn(bytes) !== undefined) return 'text/plain';
  return /^[\w.+-]{1,80}\/[\w.+-]{1,80}$/.test(declared)
    ? declared.toLowerCase()
    : 'application/octet-stream';
}

/** UTF-8, or UTF-16 with its mark. */
function textIn(bytes: Buffer): string | undefined {
  const [first, second] = bytes;
  const isLittle = first === 0xff && second === 0xfe;
  const isBig = first === 0xfe && second === 0xff;
  const encoding = isLittle ? 'utf-16le' : isBig ? 'utf-16be' : 'utf-8';
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

/** An image that is too large for a model is a file like any other. */
function asImage(data: string, bytes: Buffer): PromptPart | undefined {
  if (!/^(\xff\xd8\xff|\x89PNG|GIF8|RIFF)/.test(bytes.toString('latin1', 0, 4))) return undefined;
  try {
    return readImage(data);
  } catch {
    return undefined;
  }
}

function shortened(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  let kept = '';
  let bytes = 0;
  for (const letter of text) {
    bytes += Buffer.byteLength(letter);
    if (bytes > maxBytes) break;
    kept += letter;
  }
  return kept;
}

const tooLarge = new ParleyError(
  'too_large',
  `The images and files in a message can be at most ${largestAttachments} in total. Send fewer or smaller ones.`,
);
