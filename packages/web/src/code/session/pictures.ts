// Images that go along with a prompt, as the wire has them.
import type { ImageType } from '@parley/protocol';

export interface WaitingPicture {
  readonly name: string;
  readonly media_type: ImageType;
  readonly data: string;
}

const types: readonly ImageType[] = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];

/** What is no image that the model takes is left out. */
export async function readPictures(files: FileList | null): Promise<readonly WaitingPicture[]> {
  const read = await Promise.all([...(files ?? [])].map(readPicture));
  return read.filter((picture) => picture !== undefined);
}

async function readPicture(file: File): Promise<WaitingPicture | undefined> {
  const type = types.find((known) => known === file.type);
  if (!type) return undefined;
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? reader.result : ''));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('The image cannot be read.')));
    reader.readAsDataURL(file);
  });
  return { name: file.name, media_type: type, data: url.slice(url.indexOf(',') + 1) };
}
