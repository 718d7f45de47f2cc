// A picture as Telegram keeps it: where it is must be asked for, and the address holds the token.
import type { Api } from 'grammy';
import type { SentPicture } from '../core/fetch-picture.ts';
import { asChannelCall } from './api-errors.ts';
import type { PictureFile } from './inbound.ts';
import { asGrammySignal } from './telegram-channel.ts';

export interface PictureSource {
  readonly api: Api;
  readonly apiRoot: string;
  readonly token: string;
}

export function toSentPicture(
  { api, apiRoot, token }: PictureSource,
  { fileId, bytes, mediaType }: PictureFile,
  signal: AbortSignal,
): SentPicture {
  return {
    from: 'Telegram',
    bytes,
    mediaType,
    async locate() {
      const { file_path: path } = await asChannelCall(() => api.getFile(fileId, asGrammySignal(signal)));
      return `${apiRoot}/file/bot${token}/${path}`;
    },
  };
}
