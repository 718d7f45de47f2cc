// A picture that goes with a message. Scales it down if it is too large for a model.
import type { Picture } from '@parley/client';
import type { ImageType } from '@parley/protocol';
import { t } from '../i18n/translate.ts';

export interface AttachedImage {
  readonly id: string;
  readonly name: string;
  readonly mediaType: ImageType;
  /** Base64. */
  readonly data: string;
  /** A data URL to show it. */
  readonly url: string;
}

export const mostImages = 5;
/** Models scale larger pictures down anyway. */
const longestSide = 2_048;
const mostBytes = 3_500_000;
const known: readonly string[] = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] satisfies ImageType[];

/** Throws a sentence for the person if the picture can't be used. */
export async function attachImage(file: File): Promise<AttachedImage> {
  const blob = await fit(file);
  const url = await dataUrl(blob);
  return {
    id: nextId(),
    name: file.name,
    mediaType: blob.type as ImageType,
    data: url.slice(url.indexOf(',') + 1),
    url,
  };
}

/** A picture that was sent before. */
export function attachedPicture({ mediaType, data }: Picture, at: number): AttachedImage {
  const url = `data:${mediaType};base64,${data}`;
  return { id: nextId(), name: `picture-${at + 1}`, mediaType: mediaType as ImageType, data, url };
}

let lastId = 0;

function nextId(): string {
  lastId += 1;
  return `picture-${lastId}`;
}

export function imagesIn(files: Iterable<File>): File[] {
  return [...files].filter((file) => file.type.startsWith('image/'));
}

async function fit(file: File): Promise<Blob> {
  const picture = await createImageBitmap(file).catch(() => {
    throw new Error(
      t('This browser can’t open {file} as an image. Try a JPEG or a PNG.', { file: file.name }),
    );
  });
  const { width, height } = picture;
  if (known.includes(file.type) && file.size <= mostBytes && Math.max(width, height) <= 8_000) return file;
  const scale = Math.min(1, longestSide / Math.max(width, height));
  const canvas = new OffscreenCanvas(Math.round(width * scale), Math.round(height * scale));
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas.convertToBlob({ type: 'image/jpeg', quality: 0.85 });
}

function dataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? reader.result : ''));
    reader.addEventListener('error', () => reject(new Error(t('The picture couldn’t be read.'))));
    reader.readAsDataURL(blob);
  });
}
