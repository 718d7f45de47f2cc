// Parses the command line into a command and its flags, or a sentence about what is wrong.
import { parseArgs } from 'node:util';
import { nearest } from '../config/nearest.ts';

const commands = ['serve', 'doctor', 'config', 'password', 'people'] as const;
/** Commands that are followed by words of their own. */
const withWords: ReadonlySet<Command> = new Set(['people']);
const withJson: ReadonlySet<Command> = new Set(['doctor', 'config', 'people']);
type Command = (typeof commands)[number] | 'help' | 'version';

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
  readonly wordFlags: { readonly role?: string; readonly assistants?: string };
  /** Whether to open a page that plays Telegram and Discord. */
  readonly demoChannels: boolean;
}

export const usage = `Parley puts Claude behind every door of your household.

Usage: parley [command] [flags]

Commands:
  serve      start the server (the default)
  doctor     check everything that Parley needs to start, and say how to fix it
  config     show the effective settings and where each one comes from
  password   hash a password and print the line for parley.config.json
  people     list, invite, role or remove: who has an account (parley people --help)

Flags:
  --host <address>   the address to listen on (default 127.0.0.1)
  --port <number>    the port to listen on (default 4710; 0 picks a free port)
  --home <folder>    the data folder (default ~/.parley)
  --config <file>    the configuration file (default parley.config.json)
  --json             print JSON (doctor, config and people list)
  --demo-channels    open a page that plays Telegram and Discord (serve in demo mode)
  --help, --version

See docs/configuration.md for all settings.`;

const text = { type: 'string' } as const;
const yes = { type: 'boolean' } as const;
const options = {
  host: text,
  port: text,
  home: text,
  config: text,
  json: yes,
  'demo-channels': yes,
  role: text,
  assistants: text,
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
    role,
    assistants,
    ...flags
  } = parsed.values;
  const [word = 'serve', ...words] = parsed.positionals;
  const wordFlags = { ...(role !== undefined && { role }), ...(assistants !== undefined && { assistants }) };
  const rest = { flags, json, demoChannels, words, wordFlags };
  if (help && word === 'people') return { command: 'people', ...rest, words: ['help'] };
  if (help) return { command: 'help', ...rest };
  if (version) return { command: 'version', ...rest };

  const command = commands.find((known) => known === word);
  if (!command) return { problem: `Unknown command “${word}”. ${suggestion(word, commands)}` };
  if (words[0] !== undefined && !withWords.has(command))
    return { problem: `Unexpected argument “${words[0]}” after ${command}. See parley --help.` };
  if (json && !withJson.has(command))
    return { problem: `The flag --json only works with ${listed([...withJson])}.` };
  const [wordFlag] = Object.keys(wordFlags);
  if (wordFlag !== undefined && command !== 'people')
    return { problem: `The flag --${wordFlag} only works with people.` };
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

function listed(names: readonly string[]): string {
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
