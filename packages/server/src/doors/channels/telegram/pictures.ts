// Fetches a picture that somebody sent. What it is, is told by its bytes; how large it may be, is known before.
import { ParleyError, type PromptPart } from '@parley/protocol';
import type { Api } from 'grammy';
import type { SendHttp } from '../../../domain/http.ts';
import { checkImage, imageLimits } from '../../../domain/images/check-image.ts';
import { ChannelError } from '../core/channel.ts';
import { persistently } from '../core/retry.ts';
import { asChannelCall } from './api-errors.ts';
import type { PictureFile } from './inbound.ts';
import { asGrammySignal } from './telegram-channel.ts';

export interface PictureSource {
  readonly api: Api;
  readonly apiRoot: string;
  readonly token: string;
  readonly sendHttp: SendHttp;
}

const mostBytes = Math.floor((imageLimits.base64Length / 4) * 3);
const mostTries = 3;

/** Rejects with a ParleyError whose sentence is for the person. */
export async function fetchPicture(
  source: PictureSource,
  picture: PictureFile,
  signal: AbortSignal,
): Promise<PromptPart> {
  if ((picture.bytes ?? 0) > mostBytes) throw tooLarge;
  const bytes = await download(source, picture.fileId, signal);
  return checkImage({ data: Buffer.from(bytes).toString('base64'), media_type: picture.mediaType });
}

/** The cause of a failure is left out: it may name the address, and the address holds the token. */
async function download(
  { api, apiRoot, token, sendHttp }: PictureSource,
  fileId: string,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const once = async (tried: number): Promise<Uint8Array> => {
    if (tried >= mostTries) throw unreachable;
    const { file_path: path } = await asChannelCall(() => api.getFile(fileId, asGrammySignal(signal)));
    const url = `${apiRoot}/file/bot${token}/${path}`;
    const { status, body } = await sendHttp({ url, signal }).catch(() => notFetched);
    if (status !== 200) throw new ChannelError('network', `the file came with status ${status}`);
    return body;
  };
  try {
    return await persistently(once, signal);
  } catch {
    signal.throwIfAborted();
    throw unreachable;
  }
}

const notFetched = { status: 0, body: new Uint8Array() };
const tooLarge = new ParleyError('too_large', 'The picture is larger than 3.75 MB. Send a smaller one.');
const unreachable = new ParleyError(
  'unavailable',
  'The picture could not be fetched from Telegram. Send it again.',
);
