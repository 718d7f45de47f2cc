// The text in the terminal when the server is ready: its address, what answers, and a first command to try.
import type { Credentials } from '../config/credentials.ts';
import type { Config } from '../config/schema.ts';
import type { Secret } from '../config/secret.ts';

export function banner(start: {
  readonly config: Config;
  readonly url: string;
  /** The page that imitates Telegram and Discord. */
  readonly demoChannelsUrl?: string | undefined;
  /** Only new ones are shown. */
  readonly credentials: Pick<Credentials, 'shownKey' | 'shownPhrase'>;
  readonly hints: readonly string[];
}): string {
  const { config, url, demoChannelsUrl, credentials, hints } = start;
  const { shownKey: key, shownPhrase: phrase } = credentials;
  const rows = [
    ['Answers', answers(config)],
    ...(demoChannelsUrl === undefined
      ? []
      : [['Chats', `${demoChannelsUrl}  (imitates Telegram and Discord)`]]),
    ['People', config.people.join(', ')],
    ['Notes', config.vaultRoot],
    ['Data', config.dataDir],
    ...(phrase ? [['Password', secretText(phrase, config)]] : []),
    ...(key ? [['API key', secretText(key, config)]] : []),
  ];
  return [
    '',
    `  Parley is ready at ${url}`,
    '',
    ...rows.map(([name = '', text]) => `  ${name.padEnd(10)}${text}`),
    ...(config.demo ? ['', '  Try it:', `    ${curlLine(config, url, key)}`] : []),
    ...hints.flatMap((hint) => ['', `  ! ${hint}`]),
    '',
    '',
  ].join('\n');
}

function answers({ demo, model, anthropic }: Config): string {
  if (demo) return 'a scripted model (demo mode); set ANTHROPIC_API_KEY to use Claude';
  return anthropic.apiKey ? model : 'nothing yet; set ANTHROPIC_API_KEY';
}

function secretText(secret: Secret, { demo }: Config): string {
  return demo ? secret.reveal() : `${secret.reveal()}  (shown only once: save it)`;
}

/** Doesn't show a configured key: the shell inserts it. */
function curlLine({ people }: Config, url: string, key: Secret | undefined): string {
  const apiKey = key ? `'X-API-Key: ${key.reveal()}'` : '"X-API-Key: $PARLEY_API_KEY"';
  const person = `'X-Notes-Person: ${people[0]}'`;
  const body = JSON.stringify({ message: 'What is on my shopping list?' });
  return `curl -s ${url}/api/claude/chat -H ${apiKey} -H ${person} -H 'Content-Type: application/json' -d '${body}'`;
}
