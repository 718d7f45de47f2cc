// A picture or file that goes with a message. Scales a picture down if it is too large for a model.
import type { AttachedFile, Picture, PromptContent } from '@parley/client';
import type { ImageType } from '@parley/protocol';
import { t } from '../i18n/translate.ts';
import { bytes } from '../ui/amounts.ts';

export interface Attachment extends AttachedFile {
  readonly id: string;
  /** Whether models see it as a picture. */
  readonly isPicture: boolean;
}

const maxPictures = 5;
const maxFiles = 10;
/** Per message. The server accepts 25 MiB of base64. */
export const maxBytes = 18_750_000;
/** Models scale larger pictures down anyway. */
const longestSide = 2_048;
const maxPictureBytes = 3_500_000;
const known: readonly string[] = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] satisfies ImageType[];

/** Throws an error with a sentence for the person if the file can't be used. */
export async function attach(file: File): Promise<Attachment> {
  if (file.size > maxBytes && !file.type.startsWith('image/')) throw tooLarge(file.name);
  if (file.size === 0) throw new Error(t('{file} is empty.', { file: file.name }));
  const picture = file.type.startsWith('image/') ? await fit(file) : undefined;
  const blob = picture ?? file;
  return {
    id: nextId(),
    name: file.name,
    isPicture: picture !== undefined,
    mediaType: blob.type,
    size: blob.size,
    data: await base64(blob, file.name),
  };
}

export function pictureUrl({ mediaType, data }: Picture): string {
  return `data:${mediaType};base64,${data}`;
}

/** Messages don't store the names of their pictures. */
export function pictureName(at: number): string {
  return `picture-${at + 1}`;
}

/** Pictures and files that were sent before. */
export function attachmentsOf({ images, files = [] }: PromptContent): readonly Attachment[] {
  return [
    ...images.map(({ mediaType, data }, at) => ({
      id: nextId(),
      name: pictureName(at),
      isPicture: true,
      mediaType,
      size: Math.floor((data.length * 3) / 4),
      data,
    })),
    ...files.map((file) => ({ ...file, id: nextId(), isPicture: false })),
  ];
}

/** The other way around. */
export function contentWith(text: string, attachments: readonly Attachment[]): PromptContent {
  const files = attachments.filter(({ isPicture }) => !isPicture);
  return {
    text,
    images: attachments
      .filter(({ isPicture }) => isPicture)
      .map(({ mediaType, data }) => ({ mediaType, data })),
    ...(files.length > 0 && {
      files: files.map(({ name, mediaType, size, data, path }) => ({ name, mediaType, size, data, path })),
    }),
  };
}

export function totalSize(attachments: readonly Attachment[]): number {
  return attachments.reduce((sum, { size = 0 }) => sum + size, 0);
}

/** As many as fit into one message, in order, and why the others don't. */
export function within(attachments: readonly Attachment[]): {
  readonly kept: readonly Attachment[];
  readonly problem: string | undefined;
} {
  const kept: Attachment[] = [];
  let problem: string | undefined;
  for (const one of attachments) {
    const alike = kept.filter(({ isPicture }) => isPicture === one.isPicture).length;
    if (one.isPicture && alike >= maxPictures)
      problem = t('You can attach up to {count} pictures to a message.', { count: maxPictures });
    else if (!one.isPicture && alike >= maxFiles)
      problem = t('You can attach up to {count} files to a message.', { count: maxFiles });
    else if (totalSize(kept) + (one.size ?? 0) > maxBytes) problem = tooLarge(one.name).message;
    else kept.push(one);
  }
  return { kept, problem };
}

let lastId = 0;

function nextId(): string {
  lastId += 1;
  return `attachment-${Date.now()}-${lastId}`;
}

/** Undefined for a picture that this browser can't open; it is sent as a file. */
async function fit(file: File): Promise<Blob | undefined> {
  const picture = await createImageBitmap(file).catch(() => undefined);
  if (!picture) return undefined;
  const { width, height } = picture;
  if (known.includes(file.type) && file.size <= maxPictureBytes && Math.max(width, height) <= 8_000)
    return file;
  const scale = Math.min(1, longestSide / Math.max(width, height));
  const canvas = new OffscreenCanvas(Math.round(width * scale), Math.round(height * scale));
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas.convertToBlob({ type: 'image/jpeg', quality: 0.85 });
}

function base64(blob: Blob, file: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => {
      const url = typeof reader.result === 'string' ? reader.result : '';
      resolve(url.slice(url.indexOf(',') + 1));
    });
    // Dropped folders end up here too.
    reader.addEventListener('error', () => reject(new Error(t('{file} couldn’t be read.', { file }))));
    reader.readAsDataURL(blob);
  });
}

function tooLarge(file: string): Error {
  return new Error(
    t('{file} is too large. Attachments can be up to {size} per message.', {
      file,
      size: bytes(maxBytes),
    }),
  );
}
