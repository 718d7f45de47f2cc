// Downloads a picture or file that somebody sent. Checks its size first and detects its type from the bytes.
import { ParleyError, type PromptPart, say } from '@parley/protocol';
import { attachmentLimits, checkFile, largestAttachments } from '../../../content/check-file.ts';
import { imageLimits, largestImage, readImage } from '../../../content/check-image.ts';
import type { SendHttp } from '../../../domain/http.ts';
import { ServiceError } from './bot.ts';
import { retry } from './retry.ts';

export interface SentAttachment {
  /** The name of a file. Pictures have none. */
  readonly name?: string | undefined;
  /** The name of the service, for error messages. */
  readonly from: string;
  /** Undefined when the service does not say. */
  readonly bytes: number | undefined;
  /** Returns the address to download from. Called before each attempt. */
  readonly locate: () => Promise<string>;
}

const maxAttempts = 3;

/** Rejects with a ParleyError whose message goes to the chat. */
export async function fetchAttachment(
  sendHttp: SendHttp,
  attachment: SentAttachment,
  signal: AbortSignal,
): Promise<PromptPart> {
  const { name, bytes = 0 } = attachment;
  const most = name === undefined ? imageLimits : attachmentLimits;
  if (bytes > Math.floor((most.base64Length / 4) * 3)) throw tooLarge(name);
  const data = Buffer.from(await download(sendHttp, attachment, signal)).toString('base64');
  if (data.length > most.base64Length) throw tooLarge(name);
  return name === undefined ? readImage(data) : checkFile({ name, data });
}

/** Errors carry no cause, because it may contain the address, which is secret. */
async function download(
  sendHttp: SendHttp,
  { name, from, locate }: SentAttachment,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const unreachable = new ParleyError(
    'unavailable',
    `${name ?? 'The picture'} could not be downloaded from ${from}. Please send it again.`,
  );
  const attempt = async (failures: number): Promise<Uint8Array> => {
    if (failures >= maxAttempts) throw unreachable;
    const url = await locate();
    const { status, body } = await sendHttp({ url, signal }).catch(() => noAnswer);
    if (status !== 200) throw new ServiceError('network', say`The download failed with status ${status}.`);
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

function tooLarge(name: string | undefined): ParleyError {
  const most = name === undefined ? largestImage : largestAttachments;
  return new ParleyError(
    'too_large',
    `${name ?? 'The picture'} is larger than ${most}. Please send a smaller one.`,
  );
}
