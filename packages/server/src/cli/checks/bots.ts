// Do the services of the chat bots know their tokens, and may somebody use each bot?
import { botsOf, type ConfiguredBot } from '../../config/bots.ts';
import { type Check, type Finding, ok, warning } from './check.ts';

const longestAnswerMs = 5_000;
const services = { telegram: 'Telegram', discord: 'Discord' } as const;

/** A bot that does not start keeps Parley from nothing else. */
export const bots: Check = {
  name: 'Bots',
  async run({ config, signal }) {
    const found = await Promise.all(botsOf(config).map((bot) => examine(bot, signal)));
    const findings = found.flat();
    return findings.length > 0 ? findings : [ok('none configured')];
  },
};

async function examine(bot: ConfiguredBot, signal: AbortSignal): Promise<readonly Finding[]> {
  const { name, service, token, isEnabled, apiRoot, places } = bot;
  const called = `${name} (${services[service]})`;
  if (!token) return [];
  if (!isEnabled) return [ok(`${called}: switched off`)];
  const soon = AbortSignal.any([signal, AbortSignal.timeout(longestAnswerMs)]);
  // The reason of a failure is left out: it may name the address, which holds the token.
  const status = await statusOf(bot, token.reveal(), soon).catch(() => undefined);
  if (status === 401 || status === 404) {
    return [warning(`${called}: ${services[service]} does not know its token`, `Correct ${places.token}.`)];
  }
  if (status !== 200) {
    const { host } = new URL(apiRoot);
    return [warning(`${called}: ${host} could not be asked about its token`, 'Try again in a while.')];
  }
  return [usersOf(bot, called)];
}

function usersOf({ allowFrom, workspace, places }: ConfiguredBot, called: string): Finding {
  if (allowFrom.length === 0) {
    return warning(`${called}: nobody may use it yet`, `Put numeric ids of people into ${places.allowFrom}.`);
  }
  if (allowFrom.includes('*')) {
    return warning(`${called}: open to everybody who finds it`, `Take "*" out of ${places.allowFrom}.`);
  }
  return ok(`${called}: works in ${workspace}`);
}

/** What the service says to the question who the bot is. */
async function statusOf(
  { service, apiRoot }: ConfiguredBot,
  token: string,
  signal: AbortSignal,
): Promise<number> {
  const { createGuardedFetch } = await import('../../tools/web/guarded-fetch.ts');
  const { hostAndPort } = await import('../../tools/web/web-address.ts');
  const send = createGuardedFetch({ exceptions: [hostAndPort(new URL(apiRoot))] });
  const root = apiRoot.replace(/\/+$/, '');
  const request =
    service === 'telegram'
      ? { url: `${root}/bot${token}/getMe` }
      : { url: `${root}/v10/users/@me`, headers: { authorization: `Bot ${token}` } };
  return (await send({ ...request, signal })).status;
}
