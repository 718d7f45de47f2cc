// `parley password`: hashes a password for the configuration file, so that the file contains no secret.
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { createPasswordHashes } from '../accounts/password-hashes.ts';
import { longestPassword } from '../domain/password-hashes.ts';
import { fail } from './print.ts';

export async function makePasswordHash(): Promise<number> {
  try {
    const password = process.stdin.isTTY ? await askTwice() : await firstLine();
    if (password === '') throw new UserError('The password is empty.');
    if (password.length > longestPassword) throw new UserError('The password is too long.');
    process.stdout.write(`"familyPasswordHash": "${await createPasswordHashes().hash(password)}"\n`);
  } catch (thrown) {
    if (!(thrown instanceof UserError)) throw thrown;
    return fail(thrown.message);
  }
  process.stderr.write(
    'Put this line into parley.config.json instead of familyPassword, and restart Parley without FAMILY_PASSWORD.\n',
  );
  return 0;
}

/** A mistake that the person made. They see the message. */
class UserError extends Error {}

async function askTwice(): Promise<string> {
  const password = await askHidden('Family password: ');
  const again = await askHidden('Repeat the password: ');
  if (password !== again) throw new UserError('The passwords do not match.');
  return password;
}

/** The input can be edited but is not shown. */
async function askHidden(question: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true, historySize: 0 });
  const leaving = new AbortController();
  terminal.once('SIGINT', () => leaving.abort());
  terminal.once('close', () => leaving.abort());
  process.stderr.write(question);
  try {
    return await terminal.question('', { signal: leaving.signal });
  } catch {
    throw new UserError('No password was entered.');
  } finally {
    terminal.close();
    process.stderr.write('\n');
  }
}

async function firstLine(): Promise<string> {
  let text = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += chunk;
    if (text.includes('\n') || text.length > longestPassword + 1) break;
  }
  return text.split(/\r?\n/, 1)[0] ?? '';
}
