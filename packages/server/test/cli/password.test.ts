// `parley password` from a terminal, where nothing is shown, and from a pipe.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawn } from '@lydell/node-pty';
import { verify } from '@node-rs/argon2';
import { describe, expect, it, onTestFinished } from 'vitest';
import { freshPlace, parley } from './parley-process.ts';

const hashIn = (text: string) => /^"familyPasswordHash": "(\$argon2id\$[^"]+)"\r?$/m.exec(text)?.[1] ?? '';

describe('parley password', () => {
  it.each([
    ['a line', 'correct horse\n'],
    ['a line of Windows, and more', 'correct horse\r\nbattery\n'],
    ['text without an end of line', 'correct horse'],
  ])('reads %s from a pipe and prints only the line for the configuration file', async (_, given) => {
    const { code, stdout, stderr } = await piped(given);
    expect(code).toBe(0);
    expect(stdout.trim().split('\n')).toHaveLength(1);
    expect(await verify(hashIn(stdout), 'correct horse')).toBe(true);
    expect(stderr).toContain('parley.config.json');
  });

  it('prints a hash that a browser can log in with, however its characters are composed', async () => {
    const { stdout } = await piped('cre\u0300me\n');
    const { user, serve } = freshPlace(parley);
    writeFileSync(join(user, 'parley.config.json'), `{"people": ["anna"], ${stdout}}`);
    const { url } = await serve();
    const logIn = (password: string) =>
      fetch(`${url}/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ password }),
      });
    expect((await logIn('cr\u00e8me')).status).toBe(200);
    expect((await logIn('creme')).status).toBe(401);
  });

  it.each([
    ['nothing', '', 'The password is empty.'],
    ['an empty line', '\nsecond\n', 'The password is empty.'],
    ['too much', 'x'.repeat(100_000), 'The password is too long.'],
  ])('refuses %s', async (_, given, says) => {
    expect(await piped(given)).toEqual({ code: 1, stdout: '', stderr: `parley: ${says}\n` });
  });

  it('asks twice at a terminal, lets people edit, and never shows what they type', async () => {
    const terminal = atTerminal();
    await terminal.answer('Family password: ', 'hunter3\u007f2\r');
    await terminal.answer('Repeat the password: ', 'hunter2\r');
    expect(await terminal.ended).toBe(0);
    expect(await verify(hashIn(terminal.shown()), 'hunter2')).toBe(true);
    expect(terminal.shown()).not.toContain('hunter');
  });

  it('refuses two different passwords', async () => {
    const terminal = atTerminal();
    await terminal.answer('Family password: ', 'hunter2\r');
    await terminal.answer('Repeat the password: ', 'hunter3\r');
    expect(await terminal.ended).toBe(1);
    expect(terminal.shown()).toContain('The passwords do not match.');
  });

  it.each([
    ['Ctrl-C', '\u0003'],
    ['Ctrl-D', '\u0004'],
  ])('is canceled with %s', async (_, key) => {
    const terminal = atTerminal();
    await terminal.answer('Family password: ', `hunter2${key === '\u0004' ? '\u0015' : ''}${key}`);
    expect(await terminal.ended).toBe(1);
    expect(terminal.shown()).toContain('No password was entered.');
    expect(terminal.shown()).not.toContain('argon2');
  });
});

function piped(text: string) {
  const program = freshPlace(parley).start(['password']);
  // Input that is too long is not read to its end.
  program.child.stdin?.on('error', () => undefined).end(text);
  return program.ended;
}

function atTerminal() {
  const { user } = freshPlace(parley);
  const program = spawn(process.execPath, [parley, 'password'], {
    cwd: user,
    env: { HOME: user, PATH: '/usr/bin:/bin' },
  });
  let shown = '';
  let isOver = false;
  program.onData((text) => {
    shown += text;
  });
  const ended = new Promise<number>((resolve) => {
    program.onExit(({ exitCode }) => {
      isOver = true;
      resolve(exitCode);
    });
  });
  onTestFinished(() => {
    if (!isOver) program.kill('SIGKILL');
  });
  return {
    ended,
    shown: () => shown,
    async answer(question: string, keys: string) {
      while (!shown.includes(question)) {
        if (isOver) throw new Error(`ended without asking: ${shown}`);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      program.write(keys);
    },
  };
}
