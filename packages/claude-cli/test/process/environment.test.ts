// Which host variables reach the program, and which never do.
import { describe, expect, it } from 'vitest';
import { buildEnvironment } from '../../src/index.ts';
import { openScriptedProgram } from '../support/scripted-program.ts';

describe('the environment of the program', () => {
  it('is built from an allow list [driver.process.environment]', () => {
    const host = {
      PATH: '/bin',
      HOME: '/home/ada',
      LC_ALL: 'C',
      ANTHROPIC_API_KEY: 'key',
      DISABLE_TELEMETRY: '1',
      CLAUDECODE: '1',
      CLAUDE_CODE_ENTRYPOINT: 'cli',
      CLAUDE_CODE_SSE_PORT: '1',
      NODE_OPTIONS: '--require x',
      LD_PRELOAD: 'x.so',
      BASH_ENV: 'x.sh',
      GIT_DIR: '/x',
      DATABASE_PASSWORD: 'secret',
      UNSET: undefined,
    };
    expect(buildEnvironment({ host })).toEqual({
      PATH: '/bin',
      HOME: '/home/ada',
      LC_ALL: 'C',
      ANTHROPIC_API_KEY: 'key',
      // What a person has switched off stays off.
      DISABLE_TELEMETRY: '1',
    });
  });

  it('takes explicit values, and leaves out explicitly unset ones', () => {
    const built = buildEnvironment({
      host: { PATH: '/bin', HOME: '/home/ada', DEPLOY_STAGE: 'test' },
      alsoInherit: ['DEPLOY_STAGE'],
      explicit: { HOME: '/home/grace', CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', PATH: undefined },
    });
    expect(built).toEqual({
      HOME: '/home/grace',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DEPLOY_STAGE: 'test',
    });
  });

  it.each([
    'NODE_OPTIONS',
    'LD_PRELOAD',
    'DYLD_INSERT_LIBRARIES',
    'BASH_ENV',
    'GIT_SSH',
    'BUN_OPTIONS',
    'CLAUDECODE',
    'Ld_Preload',
  ])('refuses %s even if it is set explicitly', (name) => {
    expect(() => buildEnvironment({ host: {}, explicit: { [name]: 'x' } })).toThrow(`${name} is not allowed`);
    expect(() => buildEnvironment({ host: {}, alsoInherit: [name] })).toThrow(`${name} is not allowed`);
  });

  it('is everything a real process sees', async () => {
    const { provider, workingDir } = await openScriptedProgram(
      `answerInitialize(); onPrompt(() => { emit({ type: 'environment', names: Object.keys(process.env).sort() }); result(); });`,
      { environment: { PATH: '/usr/bin:/bin', CLAUDECODE: '1', PLANTED_SECRET: 'x' } },
    );
    const session = provider.createSession({ workingDir, environment: { EXTRA: '1' } });
    await session.start();
    const frames = session.frames();
    await session.sendInput('go');
    const first = await frames.next();
    expect(first.value?.frame?.body).toMatchObject({ names: ['EXTRA', 'PARLEY_CLAUDE_MARK', 'PATH'] });
  });
});
