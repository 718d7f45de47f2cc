// Translates the errors of Discord's REST API for core.
import { DiscordAPIError, HTTPError, RateLimitError } from '@discordjs/rest';
import { type Sentence, say } from '@parley/protocol';
import { internalError, ServiceError, type ServiceProblem, type SettingPlaces } from '../core/bot.ts';

/**
 * Runs a call and turns its errors into ServiceErrors, except when the signal aborts. The call gets its own signal,
 * because the library never removes its listener from the one it gets.
 */
export async function callDiscord<T>(
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
    throw toServiceError(error);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

export function isRefusedToken(error: unknown): boolean {
  return error instanceof ServiceError && error.message === unknownToken;
}

export function reasonFor(error: unknown, places: SettingPlaces): Sentence {
  if (isRefusedToken(error)) return tokenRefused(places);
  return error instanceof ServiceError ? error.message : internalError;
}

/** Keeps only the message of a library error, because the error contains the request body, which must not be logged. */
function toServiceError(error: unknown): ServiceError {
  if (error instanceof RateLimitError) {
    const { retryAfter, sublimitTimeout, timeToReset } = error;
    const retryAfterMs = Math.max(retryAfter, sublimitTimeout, timeToReset);
    return new ServiceError('flood', say`Discord’s rate limit was reached.`, { retryAfterMs });
  }
  if (error instanceof HTTPError)
    return new ServiceError('network', say`Discord had an internal error (${error.status}).`);
  if (!(error instanceof DiscordAPIError))
    return new ServiceError('network', say`Discord could not be reached.`, { cause: error });
  // An invalid token counts as temporary: once somebody fixes it, the answer goes out.
  if (error.status === 401) return new ServiceError('network', unknownToken);
  return new ServiceError(problemOf(error), say`${error.message}`);
}

const unknownToken = say`Discord does not accept this token.`;
export const tokenRefused = ({ token }: SettingPlaces) =>
  say`Discord does not accept this token. Create a new one on the bot’s page in the developer portal, set ${token} to it, and restart Parley.`;
const unknownChannel = 10_003;

function problemOf({ status, code }: DiscordAPIError): ServiceProblem {
  if (isAboutReference(code)) return 'refused';
  return status === 403 || code === unknownChannel ? 'gone' : 'refused';
}

/** Then the problem is the message replied to, not the chat: a bot that may not read the history cannot reply. */
function isAboutReference(code: number | string): boolean {
  return Number(code) >= 160_000 && Number(code) < 161_000;
}
