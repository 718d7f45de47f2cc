// A picture as Discord attaches it. With its address anybody could fetch it.
import type { APIAttachment } from 'discord-api-types/v10';
import type { SentPicture } from '../core/fetch-picture.ts';

export function toSentPicture({ url, size, content_type: type = '' }: APIAttachment): SentPicture {
  return {
    from: 'Discord',
    bytes: size,
    mediaType: type.split(';', 1)[0]?.trim() ?? '',
    locate: () => Promise.resolve(url),
  };
}
