// What the Bot API answers when it says no, as problems that core knows.
import { GrammyError, HttpError } from 'grammy';
import { ChannelError, type ChannelProblem, type SettingPlaces } from '../core/channel.ts';

/** Runs a call; whatever it throws becomes a ChannelError. */
export async function asChannelCall<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw toChannelError(error);
  }
}

export function isRefusedToken(error: unknown): error is ChannelError {
  return error instanceof ChannelError && /^(Unauthorized|Not Found)$/.test(error.message);
}

export interface Trouble {
  /** What is wrong, and what to do about it. */
  readonly sentence: string;
  /** Somebody has to do it; else it passes by itself. */
  readonly needsSomebody: boolean;
}

/** What keeps the bot from hearing people, for those who look after it. */
export function troubleOf(error: unknown, places: SettingPlaces): Trouble {
  if (isRefusedToken(error)) return { sentence: tokenRefused(places), needsSomebody: true };
  if (!(error instanceof ChannelError)) return { sentence: ownTrouble, needsSomebody: true };
  if (error.message.startsWith('Conflict')) return { sentence: readByAnother, needsSomebody: true };
  if (error.message === unreachable) return { sentence: unreachable, needsSomebody: false };
  return { sentence: `Telegram says: ${error.message.replace(/\.?$/, '.')}`, needsSomebody: false };
}

const unreachable = 'Telegram could not be reached.';
const tokenRefused = ({ token }: SettingPlaces) =>
  `Telegram does not know this token. Ask @BotFather for the token of the bot, put it into ${token}, and start Parley again.`;
const readByAnother =
  'Another program reads the messages of this bot. Stop it, or give Parley a bot of its own.';
const ownTrouble = 'Something went wrong inside Parley. The server log has the details.';

function toChannelError(error: unknown): unknown {
  if (error instanceof HttpError) return new ChannelError('network', unreachable, { cause: error });
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
