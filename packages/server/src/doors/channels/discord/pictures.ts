// Fetches a picture that somebody sent. What it is, is told by its bytes; how large it may be, is known before.
import { ParleyError, type PromptPart } from '@parley/protocol';
import type { APIAttachment } from 'discord.js';
import type { SendHttp } from '../../../domain/http.ts';
import { checkImage, imageLimits } from '../../../domain/images/check-image.ts';
import { ChannelError } from '../core/channel.ts';
import { persistently } from '../core/retry.ts';

const mostBytes = Math.floor((imageLimits.base64Length / 4) * 3);
const mostTries = 3;

/** Rejects with a ParleyError whose sentence is for the person. */
export async function fetchPicture(
  sendHttp: SendHttp,
  { url, size, content_type: type = '' }: APIAttachment,
  signal: AbortSignal,
): Promise<PromptPart> {
  if (size > mostBytes) throw tooLarge;
  const bytes = await download(sendHttp, url, signal);
  const mediaType = type.split(';', 1)[0]?.trim() ?? '';
  return checkImage({ data: Buffer.from(bytes).toString('base64'), media_type: mediaType });
}

/** The cause of a failure is left out: it may name the address, and with it anybody could fetch the picture. */
async function download(sendHttp: SendHttp, url: string, signal: AbortSignal): Promise<Uint8Array> {
  const once = async (tried: number): Promise<Uint8Array> => {
    if (tried >= mostTries) throw unreachable;
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
  'The picture could not be fetched from Discord. Send it again.',
);
