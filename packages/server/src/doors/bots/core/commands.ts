// The commands of a chat: parses, runs and answers them. Other commands go to the program if it knows them.
import { addUsage, noUsage, ParleyError, type PersonName, type Session } from '@parley/protocol';
import type { CodeSessions, ProgramOffers } from '../../../domain/code-sessions.ts';
import type { Gateway } from '../../../domain/gateway.ts';
import type { Outbox, OwedAnswer } from '../../../domain/outbox.ts';
import type { Destination } from './answer-delivery.ts';
import { type Button, type ChatAddress, chatKey, type Inbound } from './bot.ts';
import type { ChatSessions, ListedSession } from './chat-sessions.ts';

export const commands = [
  { name: 'new', description: 'Start a new session' },
  { name: 'stop', description: 'Stop the current turn and clear the queue' },
  { name: 'status', description: 'Show session, model, cost and folder' },
  { name: 'model', description: 'Show or change the model' },
  { name: 'sessions', description: 'Choose a recent session to continue' },
  { name: 'help', description: 'Show what this bot can do' },
] as const;

type CommandName = (typeof commands)[number]['name'];

interface Command {
  readonly name: CommandName;
  readonly argument: string;
}

/** Telegram sends /start when somebody opens the chat; /clear is the program's own name for /new. */
const aliases: Readonly<Record<string, CommandName>> = { start: 'help', clear: 'new' };

/** Whether a message is a command that changes nothing. Only the person who asked needs to see its answer. */
export function isReadOnlyCommand({ content }: Pick<Inbound, 'content'>): boolean {
  const command = content.kind === 'text' ? readCommand(content.text) : undefined;
  if (command?.name === 'model') return command.argument === '';
  return command !== undefined && ['status', 'sessions', 'help'].includes(command.name);
}

/** Reads a command such as `/model opus`. Undefined for any other text. */
export function readCommand(text: string): Command | undefined {
  const match = /^\/([a-z]{1,32})(?:\s+([\s\S]*))?$/i.exec(text);
  if (!match) return undefined;
  const [, word = '', argument = ''] = match;
  const wanted = aliases[word.toLowerCase()] ?? word.toLowerCase();
  const known = commands.find(({ name }) => name === wanted);
  return known && { name: known.name, argument: argument.trim() };
}

/** Turns `/model@name_of_bot opus`, as written in groups, into `/model opus`. Undefined if it is for another bot. */
export function withoutAddressee(text: string, botName: string | undefined): string | undefined {
  const [, command, addressee] = /^(\/\w{1,32})@(\w{1,64})(?=\s|$)/.exec(text) ?? [];
  if (command === undefined || addressee === undefined) return text;
  if (addressee.toLowerCase() !== botName?.toLowerCase()) return undefined;
  return command + text.slice(command.length + 1 + addressee.length);
}

export interface CommandAnswer {
  readonly text: string;
  readonly buttons?: readonly (readonly Button[])[];
}

export interface CommandSetup {
  readonly gateway: Gateway;
  readonly codeSessions?: Pick<CodeSessions, 'offers'> | undefined;
  readonly sessions: ChatSessions;
  readonly outbox: Pick<Outbox, 'owed'>;
  /** The models of assistants, which may change. */
  readonly models: () => readonly string[];
  /** Runs work that continues after the answer. */
  readonly inBackground: (work: () => Promise<void>) => void;
}

const recentSessions = 8;
const longestLabel = 48;

/** The message of a ParleyError becomes the answer. */
export async function answerCommand(
  command: Command,
  chat: ChatAddress,
  person: PersonName,
  setup: CommandSetup,
): Promise<CommandAnswer> {
  try {
    return await run(command, chat, person, setup);
  } catch (error) {
    if (error instanceof ParleyError) return { text: error.message };
    throw error;
  }
}

/** Handles a button of /sessions and returns what to tell the person. Undefined for any other button. */
export async function switchByButton(
  data: string,
  chat: ChatAddress,
  person: PersonName,
  { sessions }: Pick<CommandSetup, 'sessions'>,
): Promise<string | undefined> {
  const id = /^s:([0-9a-f-]{36})$/.exec(data)?.[1];
  if (id === undefined) return undefined;
  try {
    const session = await sessions.switchTo(chat, person, id);
    return `This chat now continues: ${titleOf(session)}`;
  } catch (error) {
    return ParleyError.from(error).message;
  }
}

async function run(
  { name, argument }: Command,
  chat: ChatAddress,
  person: PersonName,
  setup: CommandSetup,
): Promise<CommandAnswer> {
  const { sessions } = setup;
  switch (name) {
    case 'help':
      return { text: helpText };
    case 'new':
      await abandon(chat, person, setup);
      await sessions.leave(chat);
      return { text: 'Your next message starts a new session.' };
    case 'stop':
      return stop(await sessions.current(chat, person), setup);
    case 'status':
      return status(await sessions.current(chat, person), setup);
    case 'model':
      return argument === '' ? showModel(chat, person, setup) : changeModel(argument, chat, person, setup);
    case 'sessions':
      return listSessions(chat, person, setup);
    default:
      return name satisfies never;
  }
}

const helpText = [
  'Send me a message and Claude answers. This chat has its own session, which continues until you send /new.',
  '',
  ...commands.map(({ name, description }) => `/${name}: ${description}`),
].join('\n');

async function stop(
  session: Session | undefined,
  { gateway, inBackground }: CommandSetup,
): Promise<CommandAnswer> {
  if (!session) return { text: 'Nothing is running.' };
  const { person, id } = session;
  const { running, queue } = await gateway.state(person, id);
  if (running === undefined && queue.length === 0) return { text: 'Nothing is running.' };
  for (const { turnId } of queue) await gateway.withdraw(person, id, turnId);
  // A program may take a few seconds to stop. The answer does not wait for it.
  inBackground(async () => void (await gateway.interrupt(person, id)));
  return { text: 'Stopping.' };
}

/** Stops the turns that this chat is waiting for. Turns that other doors started in its session continue. */
async function abandon(
  chat: ChatAddress,
  person: PersonName,
  { gateway, outbox, sessions, inBackground }: CommandSetup,
): Promise<void> {
  const id = await sessions.idOf(chat);
  const isOurs = ({ address }: OwedAnswer) => chatKey((address as Destination).chat) === chatKey(chat);
  const owed = (await outbox.owed(chat.channel)).filter(
    (answer) => answer.turn?.sessionId === id && isOurs(answer),
  );
  const turns = owed.flatMap(({ turn }) => turn?.turnId ?? []);
  if (id === undefined || turns.length === 0) return;
  // In the background, because a program may take a few seconds to stop.
  inBackground(async () => {
    for (const turnId of turns) await gateway.withdraw(person, id, turnId);
    const { running } = await gateway.state(person, id);
    if (running !== undefined && turns.includes(running)) await gateway.interrupt(person, id);
  });
}

async function status(session: Session | undefined, { gateway }: CommandSetup): Promise<CommandAnswer> {
  if (!session) return { text: 'This chat has no session yet. Your next message starts one.' };
  const { running, queue } = await gateway.state(session.person, session.id);
  const turns = await gateway.turns(session.person, session.id);
  const { costUsd } = turns.reduce((sum, { usage }) => addUsage(sum, usage), noUsage);
  const workingDir = session.engine === 'claude-code' ? session.settings.workingDir : undefined;
  const waiting = queue.length === 0 ? '' : `, ${queue.length} waiting`;
  return {
    text: [
      `Session: ${titleOf(session)} (\`${session.id}\`)`,
      `Engine: ${session.engine}`,
      `Model: ${session.settings.model ?? 'default'}`,
      `Cost: $${costUsd.toFixed(4)} in ${turns.length} ${turns.length === 1 ? 'turn' : 'turns'}`,
      ...(workingDir === undefined ? [] : [`Folder: \`${workingDir}\``]),
      `State: ${running === undefined ? 'idle' : 'working'}${waiting}`,
    ].join('\n'),
  };
}

async function showModel(
  chat: ChatAddress,
  person: PersonName,
  { sessions }: CommandSetup,
): Promise<CommandAnswer> {
  const session = await sessions.current(chat, person);
  const model = session ? session.settings.model : sessions.modelFor(chat);
  return {
    text: `The model is ${model ?? 'the default'}. To change it, send /model and a name, such as /model opus.`,
  };
}

async function changeModel(
  model: string,
  chat: ChatAddress,
  person: PersonName,
  setup: CommandSetup,
): Promise<CommandAnswer> {
  const session = await setup.sessions.currentOrNew(chat, person);
  const known = await modelsFor(session, setup);
  if (known && !known.includes(model) && !isFullName(model, session)) {
    return { text: `There is no model ${inCode(model)}. Choose from: ${known.map(inCode).join(', ')}` };
  }
  await setup.gateway.configure(person, session.id, { model });
  return { text: `This session now uses ${model}.` };
}

/** Undefined if the models are not known. */
async function modelsFor(session: Session, setup: CommandSetup): Promise<readonly string[] | undefined> {
  if (session.engine === 'messages-api') return setup.models();
  const offers = await offersOf(session, setup);
  return offers && [...new Set([...offers.models.map(({ value }) => value), ...setup.models()])];
}

/** The program also takes full names of models, which its list does not contain. */
function isFullName(model: string, { engine }: Session): boolean {
  return engine === 'claude-code' && /(^|[./])claude-[\w.:@[\]-]+$/.test(model);
}

/** Undefined if the program cannot be started now. */
async function offersOf(
  { person, id }: Session,
  { codeSessions }: CommandSetup,
): Promise<ProgramOffers | undefined> {
  return codeSessions?.offers(person, id).catch(() => undefined);
}

/** The answer to a command that neither Parley nor the program knows. Undefined for a text that is for the program. */
export async function refuseUnknownCommand(
  text: string,
  chat: ChatAddress,
  person: PersonName,
  setup: CommandSetup,
): Promise<CommandAnswer | undefined> {
  // A path, such as /etc/hosts, is not a command.
  const name = /^\/([a-z][\w:-]{0,63})(?=\s|$)/i.exec(text)?.[1];
  if (name === undefined) return undefined;
  const unknown = `There is no command /${name}. Send /help to see my commands.`;
  if ((await setup.sessions.engineOf(chat, person)) !== 'claude-code') return { text: unknown };
  const offers = await offersOf(await setup.sessions.currentOrNew(chat, person), setup);
  return !offers || offers.commands.includes(name) ? undefined : { text: unknown };
}

function inCode(text: string): string {
  return `\`${text.replaceAll('`', '').slice(0, 60)}\``;
}

async function listSessions(
  chat: ChatAddress,
  person: PersonName,
  { sessions }: CommandSetup,
): Promise<CommandAnswer> {
  const current = await sessions.current(chat, person);
  const recent = await sessions.recent(chat, person, recentSessions);
  const where = chat.isPrivate ? '' : ' in this chat';
  if (recent.length === 0) return { text: `There are no sessions${where} yet.` };
  return {
    text: `Recent sessions${where}. Choose the one that this chat should continue:`,
    buttons: recent.map((session) => [
      { label: labelOf(session, session.id === current?.id), data: `s:${session.id}` },
    ]),
  };
}

function titleOf({ title }: ListedSession): string {
  return title || 'untitled';
}

function labelOf(session: ListedSession, isCurrent: boolean): string {
  const title = Array.from(titleOf(session));
  const cut = title.length <= longestLabel ? title.join('') : `${title.slice(0, longestLabel).join('')}…`;
  return isCurrent ? `✓ ${cut}` : cut;
}
