// `parley people`: lists, invites, changes and removes people.
import { ParleyError, PersonName, Role } from '@parley/protocol';
import { assistantsOf } from '../assistants/assistants.ts';
import type { Config } from '../config/schema.ts';
import type { CommandLine } from './command-line.ts';
import { type DatabaseContext, namedAssistants, runOnDatabase } from './on-database.ts';

const help = `Usage: parley people <command>

  list                     everybody, with their roles (--json prints JSON)
  invite NAME              a link that lets NAME create an account; it works once and expires after seven days
                           --role owner|member|guest (default member)
                           --assistants a,b (what a guest may use)
  role NAME ROLE           change the role of somebody with an account (guests: --assistants a,b)
  remove NAME              remove the account of NAME; notes and sessions stay

For someone who has an account, the link replaces their credentials: when they use it, everything they logged in with before
stops working, and so do their API keys and the keys and invitations they created.`;

export function managePeople(line: CommandLine): Promise<number> {
  return runOnDatabase(line, { help, subcommands: { list, invite, role: changeRole, remove } });
}

async function list({ people, accounts, line }: DatabaseContext): Promise<string> {
  const invited = await accounts.invitations();
  const rows = people.everybody().map((person) => {
    const account = people.account(person);
    const state = account ? (account.disabledAt === undefined ? 'account' : 'disabled') : 'family password';
    return { person, role: account?.role ?? people.roleOf(person), state };
  });
  const waiting = invited.map(({ person, role }) => ({ person, role, state: 'invited' }));
  if (line.json) return JSON.stringify([...rows, ...waiting], undefined, 2);
  const width = Math.max(...[...rows, ...waiting].map(({ person }) => person.length));
  return [...rows, ...waiting]
    .map(({ person, role, state }) => `${person.padEnd(width)}  ${role.padEnd(6)}  ${state}`)
    .join('\n');
}

async function invite({ config, accounts, line }: DatabaseContext, name?: string): Promise<string> {
  const person = nameOf(name);
  const role = roleOf(line.wordFlags.role ?? 'member');
  const assistants = assistantsFor(role, config, line);
  const { secret, invitation } = await accounts.invite({ person, role, assistants }, {});
  const until = new Date(invitation.expiresAt).toISOString().slice(0, 10);
  return `${addressOf(config)}/invite#${secret}\n\nSend this link to ${person} only. It works once, until ${until}.`;
}

async function changeRole(
  { config, accounts, line }: DatabaseContext,
  name?: string,
  word?: string,
): Promise<string> {
  const person = nameOf(name);
  const role = roleOf(word);
  await accounts.changeRole(person, role, assistantsFor(role, config, line), {});
  return `${person} is now ${role === 'owner' ? 'an owner' : `a ${role}`}.`;
}

async function remove({ config, accounts }: DatabaseContext, name?: string): Promise<string> {
  const person = nameOf(name);
  await accounts.remove(person, {});
  const stays = config.people.includes(person)
    ? `\n${person} is still one of the people in the configuration, so the family password works for them again.`
    : '';
  return `Removed the account of ${person}. Notes and sessions stay.${stays}`;
}

function nameOf(word: string | undefined): PersonName {
  if (word === undefined)
    throw new ParleyError('invalid', 'Give the name of the person. See parley people --help.');
  const name = PersonName.safeParse(word);
  if (name.success) return name.data;
  throw new ParleyError('invalid', `“${word}” can't be a name: ${name.error.issues[0]?.message}.`);
}

function roleOf(word: string | undefined): Role {
  const role = Role.safeParse(word);
  if (role.success) return role.data;
  throw new ParleyError('invalid', `The role must be one of: ${Role.options.join(', ')}.`);
}

function assistantsFor(role: Role, config: Config, line: CommandLine): readonly string[] {
  if (role !== 'guest') return [];
  const known = [...assistantsOf(config.assistants).keys()];
  const wanted = namedAssistants(line) ?? [];
  const unknown = wanted.find((name) => !known.includes(name));
  if (wanted.length > 0 && unknown === undefined) return wanted;
  const problem = unknown === undefined ? 'A guest needs --assistants.' : `There is no assistant ${unknown}.`;
  throw new ParleyError('invalid', `${problem} Choose from: ${known.join(', ')}.`);
}

/** Where browsers probably reach the server. */
function addressOf({ publicHosts, host, port, basePath }: Config): string {
  const [name] = publicHosts;
  if (name !== undefined) return `https://${name}${basePath}`;
  const isLocal = /^(127\.|0\.0\.0\.0$|::1?$|localhost$)/.test(host);
  return `http://${isLocal ? 'localhost' : host}:${port}${basePath}`;
}
