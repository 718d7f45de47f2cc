// The commands of a chat: their names, for the services that list them, and how they are read. Pure. A command that
// is none of these goes to the program, which has commands of its own.

export const commands = [
  { name: 'new', description: 'Start a new session' },
  { name: 'stop', description: 'Stop what is running, and forget what waits' },
  { name: 'status', description: 'Show session, model, cost and directory' },
  { name: 'model', description: 'Show or choose the model' },
  { name: 'sessions', description: 'List recent sessions, to go on with one' },
  { name: 'help', description: 'Show what this bot can do' },
] as const;

type CommandName = (typeof commands)[number]['name'];

export interface Command {
  readonly name: CommandName;
  readonly argument: string;
}

/** Words for the same: Telegram sends /start when somebody opens the chat, and the program itself says /clear. */
const aliases: Readonly<Record<string, CommandName>> = { start: 'help', clear: 'new' };

/** Such as `/model opus`. Undefined for everything else. */
export function readCommand(text: string): Command | undefined {
  const match = /^\/([a-z]{1,32})(?:\s+([\s\S]*))?$/i.exec(text);
  if (!match) return undefined;
  const [, word = '', argument = ''] = match;
  const wanted = aliases[word.toLowerCase()] ?? word.toLowerCase();
  const known = commands.find(({ name }) => name === wanted);
  return known && { name: known.name, argument: argument.trim() };
}

/** In groups `/model@name_of_bot opus` is `/model opus`. What is for another bot stays as it is. */
export function withoutAddressee(text: string, botName: string | undefined): string {
  const [, command, addressee] = /^(\/\w{1,32})@(\w{1,64})(?=\s|$)/.exec(text) ?? [];
  if (command === undefined || addressee?.toLowerCase() !== botName?.toLowerCase()) return text;
  return command + text.slice(command.length + 1 + (addressee?.length ?? 0));
}

export function helpText(): string {
  const lines = commands.map(({ name, description }) => `/${name}: ${description}`);
  return [
    'Write to me, and Claude answers. This chat has a session of its own, which goes on until /new.',
    '',
    ...lines,
  ].join('\n');
}
