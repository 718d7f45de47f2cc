// What the Bot API answers when it says no, as problems that core knows.
import { GrammyError, HttpError } from 'grammy';
import { ChannelError, type ChannelProblem } from '../core/channel.ts';

/** Runs a call; whatever it throws becomes a ChannelError. */
export async function asChannelCall<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw toChannelError(error);
  }
}

function toChannelError(error: unknown): unknown {
  if (error instanceof HttpError)
    return new ChannelError('network', 'Telegram could not be reached.', { cause: error });
  if (!(error instanceof GrammyError)) return error;
  const retryAfter = error.parameters.retry_after;
  return new ChannelError(problemOf(error), error.description, {
    ...(retryAfter !== undefined && { retryAfterMs: retryAfter * 1_000 }),
  });
}

function problemOf({ error_code: code, description }: GrammyError): ChannelProblem {
  if (code === 429) return 'flood';
  if (code === 403) return 'gone';
  // A token that is no longer good, or trouble inside the service: somebody mends it, and the answer then goes out.
  if (code !== 400) return 'network';
  if (/can't parse entities/i.test(description)) return 'markup';
  if (/message is not modified/i.test(description)) return 'unchanged';
  if (
    /chat not found|peer_id_invalid|user is deactivated|group chat was (deleted|upgraded)/i.test(description)
  ) {
    return 'gone';
  }
  return 'refused';
}
