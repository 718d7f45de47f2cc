// Do Telegram and Discord accept the tokens of the bots, and may anybody use each bot?
import type { Outgoing } from '../../basics/outgoing.ts';
import { botsOf, type ConfiguredBot, serviceLabels, unknownPlaceholders } from '../../config/bots.ts';
import { type Check, type Finding, ok, warning } from './check.ts';

/** Only warns: a bot that doesn't start affects nothing else. */
export const bots: Check = {
  name: 'Bots',
  async run({ config, outgoing, signal }) {
    const found = await Promise.all(botsOf(config).map((bot) => examine(bot, outgoing, signal)));
    const placeholders = unknownPlaceholders(config.summaryPrompt).map((name) =>
      warning(
        `summaryPrompt.template contains {{${name}}}, which Parley does not know`,
        'Use {{message}} for the text of the message and {{workspace}} for the folder.',
      ),
    );
    const findings = [...found.flat(), ...placeholders];
    return findings.length > 0 ? findings : [ok('none configured')];
  },
};

async function examine(
  bot: ConfiguredBot,
  outgoing: Outgoing,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const { name, service, token, isEnabled, places } = bot;
  const label = `${name} (${serviceLabels[service]})`;
  if (!token) return [];
  if (!isEnabled) return [ok(`${label}: turned off`)];
  const { askBotName } = await import('../../app/bot-account.ts');
  const { problem, isRefused } = await askBotName({ ...bot, token: token.reveal() }, outgoing, signal);
  if (problem === null) return [usersOf(bot, label)];
  const fix = isRefused ? `Correct ${places.token}.` : 'Try again later.';
  return [warning(`${label}: ${problem}`, fix)];
}

function usersOf({ allowFrom, workspace, places }: ConfiguredBot, label: string): Finding {
  if (allowFrom.length === 0) {
    return warning(
      `${label}: nobody may use it yet`,
      `Add the numeric ids of people to ${places.allowFrom}.`,
    );
  }
  if (allowFrom.includes('*')) {
    return warning(`${label}: anyone who finds it can use it`, `Remove "*" from ${places.allowFrom}.`);
  }
  return ok(`${label}: works in ${workspace}`);
}
