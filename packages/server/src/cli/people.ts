// `parley people`: lists, invites, changes and removes people. Works on the database, so it needs no running server; a
// running one notices within about a second.
import { ParleyError, PersonName, Role } from '@parley/protocol';
import { openAccounts } from '../app/people.ts';
import { assistantsOf } from '../assistants/built-in.ts';
import { databaseFile, makePrivateFolder } from '../config/files.ts';
import { loadProcessConfig } from '../config/load.ts';
import { nearest } from '../config/nearest.ts';
import { formatProblems } from '../config/problem.ts';
import type { Config } from '../config/schema.ts';
import type { AccountActions } from '../domain/account-actions.ts';
import { silentLogger } from '../domain/logger.ts';
import type { People } from '../domain/people.ts';
import { openSqliteStore } from '../stores/sqlite/store.ts';
import type { CommandLine } from './command-line.ts';

const help = `Usage: parley people <command>

  list                     everybody, with their roles (--json prints JSON)
  invite NAME              a link with which NAME makes an account; works once, for seven days
                           --role owner|member|guest (default member)
                           --assistants a,b (what a guest may use)
  role NAME ROLE           change the role of somebody with an account (guests: --assistants a,b)
  remove NAME              remove the account of NAME; notes and sessions stay

For somebody with an account, the link replaces their credentials: everything they logged in with before ends.`;

interface Parts {
  readonly config: Config;
  readonly people: People;
  readonly accounts: AccountActions;
  readonly line: CommandLine;
}

type Work = (parts: Parts, ...words: readonly string[]) => Promise<string>;

const works: Readonly<Record<string, Work>> = { list, invite, role: changeRole, remove };

export async function managePeople(line: CommandLine): Promise<number> {
  const [word = 'list', ...words] = line.words;
  if (word === 'help') return print(help);
  const work = works[word];
  if (!work) {
    const meant = nearest(word, Object.keys(works));
    return fail(`Unknown command “people ${word}”. ${meant ? `Did you mean ${meant}?` : help}`, 2);
  }
  const { config, problems } = loadProcessConfig(line.flags);
  if (problems.length > 0) return fail(formatProblems(problems));
  try {
    await makePrivateFolder(config.dataDir);
    const store = await openSqliteStore({ file: databaseFile(config) });
    try {
      const { people, accounts } = await openAccounts(config.people, store, silentLogger);
      return print(await work({ config, people, accounts, line }, ...words));
    } finally {
      await store.close();
    }
  } catch (error) {
    if (!(error instanceof ParleyError)) throw error;
    return fail(error.message);
  }
}

async function list({ people, accounts, line }: Parts): Promise<string> {
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

async function invite({ config, accounts, line }: Parts, name?: string): Promise<string> {
  const person = nameOf(name);
  const role = roleOf(line.wordFlags.role ?? 'member');
  const assistants = assistantsFor(role, config, line);
  const { secret, invitation } = await accounts.invite({ person, role, assistants }, {});
  const until = new Date(invitation.expiresAt).toISOString().slice(0, 10);
  return `${addressOf(config)}/invite#${secret}\n\nSend this link to ${person} only. It works once, until ${until}.`;
}

async function changeRole({ config, accounts, line }: Parts, name?: string, word?: string): Promise<string> {
  const person = nameOf(name);
  const role = roleOf(word);
  await accounts.changeRole(person, role, assistantsFor(role, config, line), {});
  return `${person} is now ${role === 'owner' ? 'an owner' : `a ${role}`}.`;
}

async function remove({ config, accounts }: Parts, name?: string): Promise<string> {
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
  throw new ParleyError('invalid', `The role is one of: ${Role.options.join(', ')}.`);
}

function assistantsFor(role: Role, config: Config, { wordFlags }: CommandLine): readonly string[] {
  if (role !== 'guest') return [];
  const known = [...assistantsOf(config.assistants).keys()];
  const wanted = (wordFlags.assistants ?? '').split(',').filter((name) => name !== '');
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

function print(text: string): number {
  process.stdout.write(`${text}\n`);
  return 0;
}

function fail(text: string, code = 1): number {
  process.stderr.write(`parley: ${text}\n`);
  return code;
}
