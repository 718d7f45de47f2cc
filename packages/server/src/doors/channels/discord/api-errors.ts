// What Discord's REST API answers when it says no, as problems that core knows.
import { DiscordAPIError, HTTPError, RateLimitError } from '@discordjs/rest';
import { ChannelError, type ChannelProblem, type SettingPlaces } from '../core/channel.ts';

/**
 * Runs a call; whatever it throws becomes a ChannelError, but for the end that the signal brought. The call has a
 * signal of its own, as the library listens to the one it gets and never stops to.
 */
export async function asChannelCall<T>(
  call: (signal: AbortSignal) => Promise<unknown>,
  signal: AbortSignal,
): Promise<T> {
  signal.throwIfAborted();
  const own = new AbortController();
  const onAbort = () => own.abort(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return (await call(own.signal)) as T;
  } catch (error) {
    signal.throwIfAborted();
    throw toChannelError(error);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

export function isRefusedToken({ message }: ChannelError): boolean {
  return message === unknownToken;
}

/** What is wrong, and what to do about it, for those who look after the bot. */
export function sentenceOf(error: ChannelError, places: SettingPlaces): string {
  return isRefusedToken(error) ? tokenRefused(places) : error.message;
}

/** Errors of the library hold what was to be sent, which belongs in no log: only their sentence is kept. */
function toChannelError(error: unknown): ChannelError {
  if (error instanceof RateLimitError) {
    const { retryAfter, sublimitTimeout, timeToReset } = error;
    const retryAfterMs = Math.max(retryAfter, sublimitTimeout, timeToReset);
    return new ChannelError('flood', 'Discord asks to wait.', { retryAfterMs });
  }
  if (error instanceof HTTPError)
    return new ChannelError('network', `Discord has trouble of its own (${error.status}).`);
  if (!(error instanceof DiscordAPIError))
    return new ChannelError('network', 'Discord could not be reached.', { cause: error });
  // A token that is no longer good: somebody mends it, and the answer then goes out.
  if (error.status === 401) return new ChannelError('network', unknownToken);
  return new ChannelError(problemOf(error), error.message);
}

const unknownToken = 'Discord does not know this token.';
export const tokenRefused = ({ token }: SettingPlaces) =>
  `${unknownToken} Make a new one on the page of the bot in the developer portal, put it into ${token}, and start Parley again.`;
const unknownChannel = 10_003;

function problemOf({ status, code }: DiscordAPIError): ChannelProblem {
  if (isAboutReference(code)) return 'refused';
  return status === 403 || code === unknownChannel ? 'gone' : 'refused';
}

/** The message that an answer refers to, which a bot that may not read the history cannot: not the chat. */
function isAboutReference(code: number | string): boolean {
  return Number(code) >= 160_000 && Number(code) < 161_000;
}
