// What the commands of a chat do, and what they answer.
import { addUsage, noUsage, ParleyError, type PersonName, type Session } from '@parley/protocol';
import type { Gateway } from '../../../domain/gateway.ts';
import type { Button, ChatAddress } from './channel.ts';
import type { ChatSessions } from './chat-sessions.ts';
import { type Command, helpText } from './commands.ts';

export interface CommandAnswer {
  readonly text: string;
  readonly buttons?: readonly (readonly Button[])[];
}

export interface CommandSetup {
  readonly gateway: Gateway;
  readonly sessions: ChatSessions;
  /** Work that goes on after the answer; it must not reject. */
  readonly inBackground: (work: () => Promise<void>) => void;
}

const recentSessions = 8;
const longestLabel = 48;

/** Never rejects with a ParleyError: its sentence is the answer. */
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

/** Whether a button is one of /sessions; then what to say to whoever pressed it. */
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
    return `This chat now goes on with: ${titleOf(session)}`;
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
      return { text: helpText() };
    case 'new':
      await sessions.leave(chat);
      return { text: 'A new session begins with your next message.' };
    case 'stop':
      return stop(await sessions.current(chat, person), setup);
    case 'status':
      return status(await sessions.current(chat, person), setup);
    case 'model':
      return argument === '' ? showModel(chat, person, setup) : chooseModel(argument, chat, person, setup);
    case 'sessions':
      return listSessions(await sessions.current(chat, person), person, setup);
    default:
      return name satisfies never;
  }
}

async function stop(
  session: Session | undefined,
  { gateway, inBackground }: CommandSetup,
): Promise<CommandAnswer> {
  if (!session) return { text: 'Nothing is running.' };
  const { person, id } = session;
  const { running, queue } = await gateway.state(person, id);
  if (running === undefined && queue.length === 0) return { text: 'Nothing is running.' };
  for (const { turnId } of queue) await gateway.withdraw(person, id, turnId);
  // A program gets a few seconds to stop; the answer does not wait for it.
  inBackground(async () => void (await gateway.interrupt(person, id)));
  return { text: 'Stopping.' };
}

async function status(session: Session | undefined, { gateway }: CommandSetup): Promise<CommandAnswer> {
  if (!session) return { text: 'This chat has no session yet. It begins with your next message.' };
  const { running, queue } = await gateway.state(session.person, session.id);
  const turns = await gateway.turns(session.person, session.id);
  const { costUsd } = turns.reduce((sum, { usage }) => addUsage(sum, usage), noUsage);
  const { model, workingDir } = session.settings;
  const waiting = queue.length === 0 ? '' : `, ${queue.length} waiting`;
  return {
    text: [
      `Session: ${titleOf(session)} (\`${session.id}\`)`,
      `Engine: ${session.engine}`,
      `Model: ${typeof model === 'string' ? model : 'as configured'}`,
      `Cost: $${costUsd.toFixed(4)} in ${turns.length} ${turns.length === 1 ? 'turn' : 'turns'}`,
      ...(typeof workingDir === 'string' ? [`Directory: \`${workingDir}\``] : []),
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
  const model = session ? session.settings['model'] : sessions.modelFor(chat);
  return {
    text: `The model is ${typeof model === 'string' ? model : 'the configured one'}. Choose another with /model and its name, such as /model opus.`,
  };
}

async function chooseModel(
  model: string,
  chat: ChatAddress,
  person: PersonName,
  { gateway, sessions }: CommandSetup,
): Promise<CommandAnswer> {
  const session = await sessions.currentOrNew(chat, person);
  await gateway.configure(person, session.id, { model });
  return { text: `This session now uses ${model}.` };
}

async function listSessions(
  current: Session | undefined,
  person: PersonName,
  { gateway }: CommandSetup,
): Promise<CommandAnswer> {
  const page = await gateway.listSessions(person, { limit: recentSessions });
  if (page.sessions.length === 0) return { text: 'There are no sessions yet.' };
  return {
    text: 'Recent sessions. Choose one, and this chat goes on with it:',
    buttons: page.sessions.map((session) => [
      { label: labelOf(session, session.id === current?.id), data: `s:${session.id}` },
    ]),
  };
}

function titleOf({ title }: Session): string {
  return title || 'untitled';
}

function labelOf(session: Session, isCurrent: boolean): string {
  const title = Array.from(titleOf(session));
  const cut = title.length <= longestLabel ? title.join('') : `${title.slice(0, longestLabel).join('')}…`;
  return isCurrent ? `✓ ${cut}` : cut;
}
