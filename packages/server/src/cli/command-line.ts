// What stands on the command line: a command, its flags, or a sentence about what is wrong with them.
import { parseArgs } from 'node:util';
import { nearest } from '../config/nearest.ts';

const commands = ['serve', 'doctor', 'config', 'password'] as const;
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
  /** Whether to open a page that plays Telegram and Discord. */
  readonly demoChannels: boolean;
}

export const usage = `Parley puts Claude behind every door of your household.

Usage: parley [command] [flags]

Commands:
  serve      start the server (the default)
  doctor     check everything that a start needs, and say how to mend it
  config     show the settings in force and where each came from
  password   read a password, and print the line with its hash for parley.config.json

Flags:
  --host <address>   listen here (default 127.0.0.1)
  --port <number>    listen on this port (default 4710; 0 takes any free one)
  --home <folder>    keep data here (default ~/.parley)
  --config <file>    read this file instead of parley.config.json
  --json             doctor and config: print JSON
  --demo-channels    serve, in demo mode: a page that plays Telegram and Discord
  --help, --version

All settings are in docs/configuration.md.`;

const text = { type: 'string' } as const;
const yes = { type: 'boolean' } as const;
const options = {
  host: text,
  port: text,
  home: text,
  config: text,
  json: yes,
  'demo-channels': yes,
  help: { ...yes, short: 'h' },
  version: { ...yes, short: 'v' },
} as const;

export function parseCommandLine(argv: readonly string[]): CommandLine | { readonly problem: string } {
  const parsed = parse(argv);
  if ('problem' in parsed) return parsed;
  const { help, version, json = false, 'demo-channels': demoChannels = false, ...flags } = parsed.values;
  const rest = { flags, json, demoChannels };
  if (help) return { command: 'help', ...rest };
  if (version) return { command: 'version', ...rest };

  const [word = 'serve', extra] = parsed.positionals;
  const command = commands.find((known) => known === word);
  if (!command) return { problem: `There is no command “${word}”. ${suggestion(word, commands)}` };
  if (extra !== undefined)
    return { problem: `“${extra}” is one word too many after ${command}. See parley --help.` };
  if (json && command !== 'doctor' && command !== 'config')
    return { problem: 'The flag --json belongs to doctor and config.' };
  if (demoChannels && command !== 'serve') return { problem: 'The flag --demo-channels belongs to serve.' };
  return { command, ...rest };
}

function parse(argv: readonly string[]) {
  const { tokens } = parseArgs({ args: [...argv], options, strict: false, tokens: true });
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    if (!Object.hasOwn(options, token.name)) {
      const known = Object.keys(options).map((name) => `--${name}`);
      return { problem: `There is no flag ${token.rawName}. ${suggestion(token.rawName, known)}` };
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
