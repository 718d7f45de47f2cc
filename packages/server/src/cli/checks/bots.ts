// Do Telegram and Discord accept the tokens of the bots, and may somebody use each bot?
import { botsOf, type ConfiguredBot } from '../../config/bots.ts';
import { type Check, type Finding, ok, warning } from './check.ts';

const longestAnswerMs = 5_000;
const services = { telegram: 'Telegram', discord: 'Discord' } as const;

/** Only warns: a bot that doesn't start affects nothing else. */
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
  if (!isEnabled) return [ok(`${called}: turned off`)];
  const soon = AbortSignal.any([signal, AbortSignal.timeout(longestAnswerMs)]);
  // Leaves out the reason of a failure: it may contain the URL, which contains the token.
  const status = await statusOf(bot, token.reveal(), soon).catch(() => undefined);
  if (status === 401 || status === 404) {
    return [warning(`${called}: ${services[service]} does not accept its token`, `Correct ${places.token}.`)];
  }
  if (status !== 200) {
    const { host } = new URL(apiRoot);
    return [warning(`${called}: ${host} could not be reached to check its token`, 'Try again later.')];
  }
  return [usersOf(bot, called)];
}

function usersOf({ allowFrom, workspace, places }: ConfiguredBot, called: string): Finding {
  if (allowFrom.length === 0) {
    return warning(
      `${called}: nobody may use it yet`,
      `Add the numeric ids of people to ${places.allowFrom}.`,
    );
  }
  if (allowFrom.includes('*')) {
    return warning(`${called}: everybody who finds it can use it`, `Remove "*" from ${places.allowFrom}.`);
  }
  return ok(`${called}: works in ${workspace}`);
}

/** Asks the service who the bot is. */
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
