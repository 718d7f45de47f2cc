// Fetches a picture that somebody sent. What it is, is told by its bytes; how large it may be, is known before.
import { ParleyError, type PromptPart } from '@parley/protocol';
import { checkImage, imageLimits } from '../../../content/check-image.ts';
import type { SendHttp } from '../../../domain/http.ts';
import { ChannelError } from './channel.ts';
import { persistently } from './retry.ts';

export interface SentPicture {
  /** The name of the service, for the person. */
  readonly from: string;
  /** As far as the service tells. */
  readonly bytes: number | undefined;
  readonly mediaType: string;
  /** Asked for anew before each try. */
  readonly locate: () => Promise<string>;
}

const mostBytes = Math.floor((imageLimits.base64Length / 4) * 3);
const mostTries = 3;

/** Rejects with a ParleyError whose sentence is for the person. */
export async function fetchPicture(
  sendHttp: SendHttp,
  picture: SentPicture,
  signal: AbortSignal,
): Promise<PromptPart> {
  if ((picture.bytes ?? 0) > mostBytes) throw tooLarge;
  const bytes = await download(sendHttp, picture, signal);
  return checkImage({ data: Buffer.from(bytes).toString('base64'), media_type: picture.mediaType });
}

/** The cause of a failure is left out: it may name the address, which is a secret. */
async function download(
  sendHttp: SendHttp,
  { from, locate }: SentPicture,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const unreachable = new ParleyError(
    'unavailable',
    `The picture could not be fetched from ${from}. Send it again.`,
  );
  const once = async (tried: number): Promise<Uint8Array> => {
    if (tried >= mostTries) throw unreachable;
    const url = await locate();
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
