// Downloads a picture that somebody sent. Checks its size before and detects its type from the bytes.
import { ParleyError, type PromptPart } from '@parley/protocol';
import { imageLimits, readImage } from '../../../content/check-image.ts';
import type { SendHttp } from '../../../domain/http.ts';
import { ServiceError } from './bot.ts';
import { retry } from './retry.ts';

export interface SentPicture {
  /** The name of the service, for error messages. */
  readonly from: string;
  /** Undefined when the service does not say. */
  readonly bytes: number | undefined;
  /** Called before each attempt. */
  readonly locate: () => Promise<string>;
}

const mostBytes = Math.floor((imageLimits.base64Length / 4) * 3);
const mostAttempts = 3;

/** Rejects with a ParleyError whose message goes to the chat. */
export async function fetchPicture(
  sendHttp: SendHttp,
  picture: SentPicture,
  signal: AbortSignal,
): Promise<PromptPart> {
  if ((picture.bytes ?? 0) > mostBytes) throw tooLarge;
  const bytes = await download(sendHttp, picture, signal);
  return readImage(Buffer.from(bytes).toString('base64'));
}

/** Errors carry no cause, because it may contain the address, which is secret. */
async function download(
  sendHttp: SendHttp,
  { from, locate }: SentPicture,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const unreachable = new ParleyError(
    'unavailable',
    `The picture could not be downloaded from ${from}. Please send it again.`,
  );
  const attempt = async (failures: number): Promise<Uint8Array> => {
    if (failures >= mostAttempts) throw unreachable;
    const url = await locate();
    const { status, body } = await sendHttp({ url, signal }).catch(() => noAnswer);
    if (status !== 200) throw new ServiceError('network', `the download answered with status ${status}`);
    return body;
  };
  try {
    return await retry(attempt, signal);
  } catch {
    signal.throwIfAborted();
    throw unreachable;
  }
}

const noAnswer = { status: 0, body: new Uint8Array() };
const tooLarge = new ParleyError(
  'too_large',
  'The picture is larger than 3.75 MiB. Please send a smaller one.',
);
