// `parley password`: turns a password into the line for the configuration file, which then holds no secret.
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { hashPassword, longestPassword } from '../doors/http/login/family-password.ts';

export async function makePasswordHash(): Promise<number> {
  try {
    const password = process.stdin.isTTY ? await askTwice() : await firstLine();
    if (password === '') throw new Slip('The password is empty.');
    if (password.length > longestPassword) throw new Slip('The password is too long.');
    process.stdout.write(`"familyPasswordHash": "${await hashPassword(password)}"\n`);
  } catch (thrown) {
    if (!(thrown instanceof Slip)) throw thrown;
    process.stderr.write(`parley: ${thrown.message}\n`);
    return 1;
  }
  process.stderr.write(
    'Put this line into parley.config.json in place of familyPassword, and start Parley again without FAMILY_PASSWORD.\n',
  );
  return 0;
}

/** What the person did; its message is for them. */
class Slip extends Error {}

async function askTwice(): Promise<string> {
  const password = await askHidden('The family password: ');
  const again = await askHidden('The same once more: ');
  if (password !== again) throw new Slip('The two are not the same.');
  return password;
}

/** What is typed can be edited but is not shown. */
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
    throw new Slip('No password was given.');
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
