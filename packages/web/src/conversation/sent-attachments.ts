// Pictures and files of messages that were sent. The server leaves out the bytes; they are fetched by their index.
import type { AttachedFile, Picture, PromptContent, PromptItem } from '@parley/client';
import { attach, pictureName, pictureUrl } from '../attachments/attachment.ts';
import { personalAddress, request } from '../client.ts';

export function pictureUrls(session: string, { turnId = '', pictures }: PromptItem): readonly string[] {
  return pictures.map((picture, at) =>
    picture.data === '' ? personalAddress(pathOf(session, turnId, 'images', at)) : pictureUrl(picture),
  );
}

/** Where to download a file; undefined if only its path in the work folder is known. */
export function fileUrl(session: string, turnId: string | undefined, file: AttachedFile, at: number) {
  if (turnId === undefined || file.path !== undefined) return undefined;
  return personalAddress(pathOf(session, turnId, 'files', at));
}

/** The message with all its bytes, to send it again. */
export async function contentOf(
  session: string,
  item: Pick<PromptItem, 'turnId' | 'text' | 'pictures' | 'files'>,
): Promise<PromptContent> {
  const { turnId = '', text, pictures, files } = item;
  const bytes = async (kind: Kind, at: number, name: string) =>
    (await attach(new File([await (await request(pathOf(session, turnId, kind, at))).blob()], name))).data;
  return {
    text,
    images: await Promise.all(
      pictures.map(async (picture, at): Promise<Picture> => {
        if (picture.data !== '') return picture;
        return { mediaType: picture.mediaType, data: await bytes('images', at, pictureName(at)) };
      }),
    ),
    files: await Promise.all(
      files.map(async (file, at) => {
        if (file.data !== '' || file.path !== undefined) return file;
        return { ...file, data: await bytes('files', at, file.name) };
      }),
    ),
  };
}

type Kind = 'images' | 'files';

function pathOf(session: string, turnId: string, kind: Kind, at: number): string {
  return `/api/sessions/${session}/turns/${turnId}/${kind}/${at}`;
}
