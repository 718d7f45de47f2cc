// Asks Telegram or Discord for the name of a bot, which also shows whether they accept its token.
import { type BotTrialResult, say } from '@parley/protocol';
import { z } from 'zod';
import type { Outgoing } from '../basics/outgoing.ts';
import { type ConfiguredBot, serviceLabels } from '../config/bots.ts';
import type { Tried } from '../domain/app-settings.ts';
import { createGuardedFetch } from '../tools/web/guarded-fetch.ts';
import { hostAndPort } from '../tools/web/web-address.ts';

const longestAnswerMs = 5_000;

const TelegramAnswer = z.object({ result: z.object({ username: z.string() }) });
const DiscordAnswer = z.object({ username: z.string() });

export type BotToAsk = Pick<ConfiguredBot, 'service' | 'apiRoot'> & { readonly token: string };

/** Never rejects. The problem never contains the token, which is part of Telegram's addresses. */
export async function askBotName(
  bot: BotToAsk,
  outgoing: Outgoing,
  signal: AbortSignal,
): Promise<Tried<BotTrialResult> & { readonly isRefused: boolean }> {
  const label = serviceLabels[bot.service];
  const answer = await ask(bot, outgoing, signal).catch(() => undefined);
  const isRefused = answer?.status === 401 || answer?.status === 404;
  if (isRefused) {
    return { ok: false, isRefused, botName: null, problem: say`${label} does not accept its token` };
  }
  if (answer?.status !== 200) {
    const { host } = new URL(bot.apiRoot);
    return {
      ok: false,
      isRefused,
      botName: null,
      problem: say`${host} could not be reached to check the token`,
    };
  }
  return { ok: true, isRefused, botName: nameIn(bot.service, answer.body), problem: null };
}

async function ask({ service, apiRoot, token }: BotToAsk, outgoing: Outgoing, signal: AbortSignal) {
  const send = createGuardedFetch({ exceptions: [hostAndPort(new URL(apiRoot))], outgoing });
  const root = apiRoot.replace(/\/+$/, '');
  const request =
    service === 'telegram'
      ? { url: `${root}/bot${token}/getMe` }
      : { url: `${root}/v10/users/@me`, headers: { authorization: `Bot ${token}` } };
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(longestAnswerMs)]);
  return send({ ...request, signal: deadline });
}

function nameIn(service: BotToAsk['service'], body: Uint8Array): string | null {
  try {
    const answer: unknown = JSON.parse(Buffer.from(body).toString());
    return service === 'telegram'
      ? TelegramAnswer.parse(answer).result.username
      : DiscordAnswer.parse(answer).username;
  } catch {
    return null;
  }
}
