// `parley keys`: API keys for programs, for everybody on this server.
import { type ApiKeyInfo, ParleyError, type PersonName } from '@parley/protocol';
import { assistantsOf } from '../assistants/assistants.ts';
import { describeKey, toKeyInfo } from '../doors/http/keys/key-info.ts';
import type { CommandLine } from './command-line.ts';
import { type DatabaseContext, namedAssistants, runOnDatabase, timeOf } from './on-database.ts';

const help = `Usage: parley keys <command>

  list                     all keys, with what they may do (--json prints JSON)
  create LABEL             a new key; its secret is printed once
                           --person NAME (who it acts for)
                           --assistants a,b (the only assistants it may use; claude-code counts as one)
                           --read-only (it can't change anything)
                           --until 2027-01-31 (it expires then)
  revoke ID                revoke a key, and close everything that is open with it

Keys from the configuration (apiKey, apiKeys) are not listed here: edit the file, and restart the server.`;

export function manageKeys(line: CommandLine): Promise<number> {
  return runOnDatabase(line, { help, subcommands: { list, create, revoke } });
}

async function list({ keys, line }: DatabaseContext): Promise<string> {
  const all = keys.list();
  if (line.json) return JSON.stringify(all.map(toKeyInfo) satisfies ApiKeyInfo[], undefined, 2);
  if (all.length === 0) return 'There are no keys yet. Create one with parley keys create.';
  return all.map((key) => `${key.id}  ${key.label}  (${describeKey(key)})`).join('\n');
}

async function create(context: DatabaseContext, ...words: readonly string[]): Promise<string> {
  const { line, people } = context;
  const label = words.join(' ').trim();
  if (label === '') throw new ParleyError('invalid', 'Give the key a label. See parley keys --help.');
  const { person, until } = line.wordFlags;
  const assistants = namedAssistants(line);
  const wanted = {
    label,
    person: personOf(person, people.list()),
    readOnly: line.wordFlags['read-only'] !== undefined,
    ...(assistants && { assistants }),
    ...(until !== undefined && { expiresAt: timeOf('until', until) }),
  };
  const known = [...assistantsOf(context.config.assistants).keys()];
  const { key, secret } = await context.keys.create(wanted, known);
  context.audit.record({ action: 'key.created', subject: key.label, detail: describeKey(key) });
  return `${secret}\n\nThis is the key “${key.label}”, ${describeKey(key)}. It is shown only once.`;
}

async function revoke({ keys, audit }: DatabaseContext, id?: string): Promise<string> {
  const key = id === undefined ? undefined : keys.find(id);
  if (!key) throw new ParleyError('not_found', 'There is no such key. parley keys list shows the ids.');
  await keys.revoke(key.id);
  audit.record({ action: 'key.revoked', subject: key.label, detail: describeKey(key) });
  return `Revoked the key “${key.label}”. Anything that is open with it closes within about a second.`;
}

/** If there is only one person, nobody has to name them. */
function personOf(name: string | undefined, people: readonly PersonName[]): PersonName {
  const person = name ?? (people.length === 1 ? people[0] : undefined);
  if (person !== undefined && people.includes(person)) return person;
  const problem =
    person === undefined ? 'Use --person to say who the key acts for.' : `There is no ${person} here.`;
  throw new ParleyError('invalid', `${problem} Choose from: ${people.join(', ')}.`);
}
