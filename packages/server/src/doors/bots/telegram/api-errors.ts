// Translates the errors of the Bot API for core.
import { type Sentence, say } from '@parley/protocol';
import { GrammyError, HttpError } from 'grammy';
import { internalError, ServiceError, type ServiceProblem, type SettingPlaces } from '../core/bot.ts';

/** Runs a call and turns its errors into ServiceErrors. */
export async function callTelegram<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw toServiceError(error);
  }
}

export function isRefusedToken(error: unknown): boolean {
  return error instanceof ServiceError && /^(Unauthorized|Not Found)$/.test(error.message);
}

export interface Failure {
  /** What is wrong and what to do about it. */
  readonly reason: Sentence;
  /** A person has to act; otherwise a retry may help. */
  readonly needsAction: boolean;
}

/** Why the bot cannot receive messages, for the person who runs it. */
export function failureOf(error: unknown, places: SettingPlaces): Failure {
  if (isRefusedToken(error)) return { reason: tokenRefused(places), needsAction: true };
  if (!(error instanceof ServiceError)) return { reason: internalError, needsAction: true };
  if (error.message.startsWith('Conflict')) return { reason: anotherReader, needsAction: true };
  if (error.message === unreachable) return { reason: unreachable, needsAction: false };
  return { reason: say`Telegram says: ${error.message.replace(/\.?$/, '.')}`, needsAction: false };
}

const unreachable = say`Telegram could not be reached.`;
const tokenRefused = ({ token }: SettingPlaces) =>
  say`Telegram does not accept this token. Ask @BotFather for the bot’s token, set ${token} to it, and restart Parley.`;
const anotherReader = say`Another program is reading the messages of this bot. Stop it, or give Parley a bot of its own.`;

function toServiceError(error: unknown): unknown {
  if (error instanceof HttpError) return new ServiceError('network', unreachable, { cause: error });
  if (!(error instanceof GrammyError)) return error;
  const retryAfter = error.parameters.retry_after;
  return new ServiceError(problemOf(error), say`${error.description}`, {
    ...(retryAfter !== undefined && { retryAfterMs: retryAfter * 1_000 }),
  });
}

function problemOf({ error_code: code, description }: GrammyError): ServiceProblem {
  if (code === 429) return 'flood';
  if (code === 403) return 'gone';
  // An invalid token or an error inside Telegram counts as temporary: once it is fixed, the answer goes out.
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
