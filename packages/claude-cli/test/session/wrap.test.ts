// A program that runs inside another one: the driver's signals reach the program, not what is around it.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Wrap } from '../../src/index.ts';
import { isAlive } from '../support/processes.ts';
import { openScriptedProgram } from '../support/scripted-program.ts';

/** A shell that waits for another one, which waits for the program. */
const inTwoShells: Wrap = ({ file, args }) => ({
  file: '/bin/sh',
  args: ['-c', '/bin/sh -c \'"$@"; exit $?\' inner "$@"; exit $?', 'outer', file, ...args],
  layers: 2,
});

const takesItsTime = `
answerInitialize();
fs.writeFileSync('pid', String(process.pid));
process.on('SIGTERM', () => setTimeout(() => { fs.writeFileSync('ended', 'in good order'); process.exit(0); }, 100));
setInterval(() => {}, 1000);
`;

describe('a wrapped program', () => {
  it('is asked to end, and ends in good order [driver.process.wrap]', async () => {
    const scripted = await openScriptedProgram(takesItsTime);
    const session = scripted.provider.createSession({ workingDir: scripted.workingDir, wrap: inTwoShells });
    await session.start();
    const pid = Number(await readFile(join(scripted.workingDir, 'pid'), 'utf8'));
    expect(session.status().pid).not.toBe(pid);
    await session.stop();
    expect(await readFile(join(scripted.workingDir, 'ended'), 'utf8')).toBe('in good order');
    expect(isAlive(pid)).toBe(false);
  });

  it('is killed with everything around it [driver.process.wrap]', async () => {
    const scripted = await openScriptedProgram(takesItsTime);
    const session = scripted.provider.createSession({ workingDir: scripted.workingDir, wrap: inTwoShells });
    await session.start();
    const pid = Number(await readFile(join(scripted.workingDir, 'pid'), 'utf8'));
    await session.kill();
    expect([isAlive(pid), isAlive(session.status().pid ?? 0)]).toEqual([false, false]);
  });
});
