// Pictures of messages that were sent. The server leaves out the bytes of older ones; they are fetched by their place.
import type { Picture, PromptContent, PromptItem } from '@parley/client';
import { personalAddress, request } from '../client.ts';
import { attachImage } from '../pictures/attached-image.ts';

export function pictureUrls(session: string, { turnId = '', pictures }: PromptItem): readonly string[] {
  return pictures.map((picture, at) =>
    picture.data === '' ? personalAddress(pathOf(session, turnId, at)) : dataUrl(picture),
  );
}

export function dataUrl({ mediaType, data }: Picture): string {
  return `data:${mediaType};base64,${data}`;
}

/** The message with all its bytes, to send it again. */
export async function contentOf(
  session: string,
  item: Pick<PromptItem, 'turnId' | 'text' | 'pictures'>,
): Promise<PromptContent> {
  const { turnId = '', text, pictures } = item;
  const images = await Promise.all(
    pictures.map(async (picture, at) => {
      if (picture.data !== '') return picture;
      const blob = await (await request(pathOf(session, turnId, at))).blob();
      return attachImage(new File([blob], 'picture', { type: blob.type }));
    }),
  );
  return { text, images };
}

function pathOf(session: string, turnId: string, at: number): string {
  return `/api/sessions/${session}/turns/${turnId}/images/${at}`;
}
