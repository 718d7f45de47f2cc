// Programs that do not know what the driver asks of them, because they are too old.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SessionConfig } from '../../src/index.ts';
import { isAlive } from '../support/processes.ts';
import { EventLog, eventually } from '../support/reading.ts';
import { openScriptedProgram, type ScriptedProgram } from '../support/scripted-program.ts';

let scripted: ScriptedProgram;

/** A command line like the real one: it lists its flags, and refuses others. `questions` counts how often it was asked. */
const commandLine = (version: string, flags: readonly string[], whenAsked = '') => `
const flags = ${JSON.stringify(['--verbose', '--session-id', '--output-format', '--input-format', ...flags])};
const args = process.argv.slice(2);
const asks = args[0] === '--version' || args[0] === '--help';
if (asks) fs.appendFileSync(__dirname + '/questions', args[0] + ' ');
if (asks) { ${whenAsked} }
if (args[0] === '--version') { console.log('${version} (Claude Code)'); process.exit(0); }
if (args[0] === '--help') {
  console.log('Usage: claude [options]\\n\\nOptions:\\n' + flags.map((flag) => '  ' + flag + ' <value>  Does it').join('\\n'));
  process.exit(0);
}
const unknown = args.find((arg) => arg !== '-p' && !flags.includes(arg.split('=')[0]));
if (unknown) { fs.writeSync(2, "error: unknown option '" + unknown + "'\\n"); process.exit(1); }
answerInitialize();
onPrompt(() => result());
`;

async function start(program: string | ScriptedProgram, config: SessionConfig = {}) {
  scripted = typeof program === 'string' ? await openScriptedProgram(program) : program;
  const session = scripted.provider.createSession({ workingDir: scripted.workingDir, ...config });
  const log = new EventLog(session);
  const failure = await session.start().then(
    () => undefined,
    (error: unknown) => error,
  );
  return { session, log, failure };
}

const questions = () => words('questions');

async function words(file: string): Promise<string[]> {
  const text = await readFile(join(scripted.workingDir, file), 'utf8').catch(() => '');
  return text.trim().split(' ').filter(Boolean).sort();
}

describe('a program that is too old', () => {
  it('is refused with its version and the one that is needed [driver.versions.too-old]', async () => {
    const { session, log, failure } = await start(commandLine('1.0.60', ['--model']));
    const message = 'This claude is too old: 1.0.60, needs 1.0.63 or newer. Update it.';
    expect(failure).toMatchObject({ code: 'program_too_old', message });
    await log.done;
    expect(log.all('error')).toMatchObject([{ code: 'program_too_old', message, fatal: true }]);
    expect(session.status().state).toBe('error');
  });

  it('is asked only once, however many sessions there are [driver.versions.ask-once]', async () => {
    const program = await openScriptedProgram(commandLine('1.0.92', ['--model']));
    const started = await Promise.all([start(program), start(program)]);
    started.push(await start(program, { custom: { effort: 'low' } }));
    expect(started.map(({ failure }) => failure)).toEqual([undefined, undefined, undefined]);
    expect(await questions()).toEqual(['--help', '--version']);
    expect(started[0]?.log.metadata('warning').map(({ reason }) => reason)).toEqual(['unsupported_option']);
    await Promise.all(started.map(({ session }) => session.stop()));
  });

  it('can be stopped while it is asked', async () => {
    scripted = await openScriptedProgram(commandLine('1.0.92', ['--model'], 'return forever();'));
    const session = scripted.provider.createSession({ workingDir: scripted.workingDir });
    const started = session.start();
    await eventually(async () => (await questions()).length === 2);
    await Promise.all([expect(started).rejects.toMatchObject({ code: 'start_failed' }), session.stop()]);
    expect(session.status().pid).toBeUndefined();
  });

  it('leaves nothing running if the provider is closed while it is asked', async () => {
    const noted = "fs.appendFileSync(__dirname + '/pids', process.pid + ' '); return forever();";
    scripted = await openScriptedProgram(commandLine('1.0.92', ['--model'], noted));
    const started = scripted.provider.createSession({ workingDir: scripted.workingDir }).start();
    const failure = started.catch((error: unknown) => error);
    const pids = async () => (await words('pids')).map(Number);
    await eventually(async () => (await pids()).length === 2);
    await scripted.provider.close();
    expect(await failure).toMatchObject({ code: 'start_failed' });
    for (const pid of await pids()) await eventually(() => !isAlive(pid));
  });
});

describe('a program that knows everything', () => {
  it('is never asked what it can do [driver.versions.ask-once]', async () => {
    const flags = ['--include-partial-messages', '--effort'];
    const { session, failure } = await start(commandLine('9.9.9', flags), { custom: { effort: 'low' } });
    expect(failure).toBeUndefined();
    expect(await questions()).toEqual([]);
    await session.stop();
  });

  it('reports its own complaints unchanged if it does not say what it can do', async () => {
    const { failure } = await start(`fs.writeSync(2, "error: unknown option '--x'"); process.exit(1);`);
    expect(failure).toMatchObject({ code: 'start_failed', stderr: "error: unknown option '--x'" });
  });
});
