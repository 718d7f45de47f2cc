// Parses the command line into a command and its flags, or a sentence about what is wrong.
import { parseArgs } from 'node:util';
import { nearest } from '../config/nearest.ts';

const commands = [
  'serve',
  'doctor',
  'config',
  'password',
  'people',
  'keys',
  'audit',
  'backup',
  'restore',
  'migrate',
  'log-level',
  'support',
] as const;
/** Commands that take more words, and the flags that only they have. */
const withWords: Readonly<Partial<Record<Command, readonly WordFlag[]>>> = {
  people: ['role', 'assistants'],
  keys: ['person', 'assistants', 'read-only', 'until'],
  audit: ['text', 'person', 'action', 'since', 'until', 'limit'],
  backup: [],
  restore: ['replace'],
  migrate: ['to'],
  'log-level': [],
  support: ['to'],
};
const withJson: ReadonlySet<Command> = new Set(['doctor', 'config', 'people', 'keys', 'audit']);
type Command = (typeof commands)[number] | 'help' | 'version';
type WordFlag = keyof typeof wordOptions;

export interface CommandLine {
  readonly command: Command;
  readonly flags: {
    readonly host?: string;
    readonly port?: string;
    readonly home?: string;
    readonly config?: string;
  };
  readonly json: boolean;
  /** What follows a command such as `people`. */
  readonly words: readonly string[];
  /** Flags of those commands. */
  readonly wordFlags: { readonly [Flag in WordFlag]?: string };
  /** Whether to open a page that imitates Telegram and Discord. */
  readonly demoChannels: boolean;
}

export const usage = `Parley is a self-hosted server that puts Claude behind every door a household or a small team uses.

Usage: parley [command] [flags]

Commands:
  serve      start the server (the default)
  doctor     check everything that Parley needs to start, and say how to fix it
  config     show the effective settings and where each one comes from
  password   hash a password and print the line for parley.config.json
  people     list, invite, change or remove people (parley people --help)
  keys       list, create or revoke API keys for programs (parley keys --help)
  audit      list or export who did what, and when (parley audit --help)
  backup     back up a home to one file, even while the server is running
  restore    restore a home from a backup
  migrate    move a home from SQLite to PostgreSQL (parley migrate --help)
  log-level  show or change what a running server logs (parley log-level --help)
  support    write a report without secrets for someone who helps you (parley support --help)

Flags:
  --host <address>   the address to listen on (default 127.0.0.1)
  --port <number>    the port to listen on (default 4710; 0 picks a free port)
  --home <folder>    the data folder (default ~/.parley)
  --config <file>    the configuration file (default parley.config.json)
  --json             print JSON (doctor, config, and the lists of people, keys and audit)
  --demo-channels    open a page that imitates Telegram and Discord (serve in demo mode)
  --help, --version

See docs/configuration.md for all settings.`;

const text = { type: 'string' } as const;
const yes = { type: 'boolean' } as const;
const wordOptions = {
  role: text,
  assistants: text,
  person: text,
  'read-only': yes,
  since: text,
  until: text,
  text,
  action: text,
  limit: text,
  to: text,
  replace: yes,
} as const;
const options = {
  host: text,
  port: text,
  home: text,
  config: text,
  json: yes,
  'demo-channels': yes,
  ...wordOptions,
  help: { ...yes, short: 'h' },
  version: { ...yes, short: 'v' },
} as const;

export function parseCommandLine(argv: readonly string[]): CommandLine | { readonly problem: string } {
  const parsed = parse(argv);
  if ('problem' in parsed) return parsed;
  const {
    help,
    version,
    json = false,
    'demo-channels': demoChannels = false,
    host,
    port,
    home,
    config,
    ...given
  } = parsed.values;
  const [word = 'serve', ...words] = parsed.positionals;
  const flags = withoutUndefined({ host, port, home, config });
  const wordFlags = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]));
  const rest = { flags, json, demoChannels, words, wordFlags };
  const asked = commands.find((known) => known === word && withWords[known]);
  if (help && asked) return { command: asked, ...rest, words: ['help'] };
  if (help) return { command: 'help', ...rest };
  if (version) return { command: 'version', ...rest };

  const command = commands.find((known) => known === word);
  if (!command) return { problem: `Unknown command “${word}”. ${suggestion(word, commands)}` };
  if (words[0] !== undefined && !withWords[command])
    return { problem: `Unexpected argument “${words[0]}” after ${command}. See parley --help.` };
  if (json && !withJson.has(command))
    return { problem: `The flag --json only works with ${listed([...withJson])}.` };
  const misplaced = Object.keys(wordFlags).find((flag) => !withWords[command]?.some((own) => own === flag));
  if (misplaced !== undefined)
    return { problem: `The flag --${misplaced} only works with ${listed(commandsWith(misplaced))}.` };
  if (demoChannels && command !== 'serve')
    return { problem: 'The flag --demo-channels only works with serve.' };
  return { command, ...rest };
}

function parse(argv: readonly string[]) {
  const { tokens } = parseArgs({ args: [...argv], options, strict: false, tokens: true });
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    if (!Object.hasOwn(options, token.name)) {
      const known = Object.keys(options).map((name) => `--${name}`);
      return { problem: `Unknown flag ${token.rawName}. ${suggestion(token.rawName, known)}` };
    }
    const takesValue = options[token.name as keyof typeof options].type === 'string';
    const value = token.inlineValue || !token.value?.startsWith('-') ? token.value : undefined;
    if (takesValue && !value) return { problem: `The flag ${token.rawName} needs a value.` };
    if (!takesValue && token.value !== undefined)
      return { problem: `The flag ${token.rawName} takes no value.` };
  }
  return parseArgs({ args: [...argv], options, allowPositionals: true });
}

function suggestion(word: string, known: readonly string[]): string {
  const meant = nearest(word, known);
  return meant ? `Did you mean ${meant}?` : 'See parley --help.';
}

function commandsWith(flag: string): readonly string[] {
  return commands.filter((command) => withWords[command]?.some((own) => own === flag));
}

function withoutUndefined<T extends object>(values: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  const set = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(set) as { [Key in keyof T]?: Exclude<T[Key], undefined> };
}

function listed(names: readonly string[]): string {
  return [names.slice(0, -1).join(', '), ...names.slice(-1)].filter(Boolean).join(' and ');
}
