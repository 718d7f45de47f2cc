// What the real program asks, and how it uses the answers.
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { callTool, createGate, lastToolResults, reply, resultText, say, wait } from '@parley/stand-ins';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PermissionDecision, PermissionRequest, SessionConfig } from '../../src/index.ts';
import { EventLog } from '../support/reading.ts';
import { openRealProgram, type RealProgram } from '../support/real-program.ts';

describe('permissions of the real program', () => {
  let real: RealProgram;
  beforeAll(async () => {
    real = await openRealProgram();
  });
  afterAll(() => real.close());

  /** Lets the model call one tool. Returns what the program asked and what the model got. */
  async function callOnce(
    tool: { readonly name: string; readonly input: Record<string, unknown> },
    decide: (request: PermissionRequest) => PermissionDecision | Promise<PermissionDecision>,
    config: SessionConfig = {},
  ) {
    const asked: PermissionRequest[] = [];
    const session = real.createSession({
      ...config,
      onPermission: (request) => {
        asked.push(request);
        return decide(request);
      },
    });
    const log = new EventLog(session);
    await session.start();
    real.standIn.enqueue(reply(callTool(tool.name, tool.input)), reply('Well then.'));
    await session.sendInput('Do it');
    const turn = await log.turn(1);
    const request = real.standIn.conversations.at(-1);
    await session.stop();
    return {
      asked,
      log,
      turn,
      toolResults: request ? lastToolResults(request.body).map(resultText).join('') : '',
    };
  }

  it('runs an allowed tool', async () => {
    const input = { command: 'echo hello > allowed.txt', description: 'Write a file' };
    const { asked, turn } = await callOnce({ name: 'Bash', input }, () => ({ behavior: 'allow' }));
    expect(asked).toMatchObject([{ toolName: 'Bash', input, description: 'Write a file' }]);
    expect(asked[0]?.toolUseId).toMatch(/^toolu_/);
    expect(turn.outcome).toBe('success');
    expect(await readFile(join(real.workingDir, 'allowed.txt'), 'utf8')).toBe('hello\n');
  });

  it('asks until the turn is over, even if the input is closed', async () => {
    const asked: unknown[] = [];
    const session = real.createSession({
      onPermission: ({ input }) => {
        asked.push(input['command']);
        return { behavior: 'deny', message: 'Not today.' };
      },
    });
    const log = new EventLog(session);
    await session.start();
    for (const command of ['touch one', 'touch two'])
      real.standIn.enqueue(reply(callTool('Bash', { command })));
    real.standIn.enqueue(reply('Well then.'));
    await session.sendInput('Do it');
    session.endInput();
    await expect(session.sendInput('Too late')).rejects.toThrow('The input was closed.');
    await log.done;
    expect(asked).toEqual(['touch one', 'touch two']);
    expect(log.metadata('tool_result').map(({ content }) => content)).toEqual(['Not today.', 'Not today.']);
    expect(log.states.at(-1)).toBe('stopped');
  });

  it('does not run a denied tool, and gives the model the reason', async () => {
    const input = { command: 'touch denied.txt', description: 'Touch' };
    const { toolResults, log } = await callOnce({ name: 'Bash', input }, () => ({
      behavior: 'deny',
      message: 'Not on a Sunday.',
    }));
    expect(toolResults).toContain('Not on a Sunday.');
    expect(log.metadata('tool_result')).toMatchObject([
      { isError: true, isDenied: true, isStopped: false, reason: 'Not on a Sunday.' },
    ]);
    await expect(access(join(real.workingDir, 'denied.txt'))).rejects.toThrow('ENOENT');
  });

  it('runs the tool with the input that the person changed', async () => {
    const input = { command: 'echo one > changed.txt', description: 'Write' };
    await callOnce({ name: 'Bash', input }, (request) => ({
      behavior: 'allow',
      updatedInput: { ...request.input, command: 'echo two > changed.txt' },
    }));
    expect(await readFile(join(real.workingDir, 'changed.txt'), 'utf8')).toBe('two\n');
  });

  it('denies when the handler fails', async () => {
    const input = { command: 'touch failed.txt', description: 'Touch' };
    const { toolResults } = await callOnce({ name: 'Bash', input }, () => {
      throw new Error('the doorbell is broken');
    });
    expect(toolResults).toContain('the doorbell is broken');
    await expect(access(join(real.workingDir, 'failed.txt'))).rejects.toThrow('ENOENT');
  });

  it('applies a suggested rule, and does not ask again', async () => {
    const asked: PermissionRequest[] = [];
    const session = real.createSession({
      onPermission: (request) => {
        asked.push(request);
        const session = request.suggestions.map((rule) => ({ ...rule, destination: 'session' }));
        return { behavior: 'allow', updatedPermissions: session };
      },
    });
    const log = new EventLog(session);
    await session.start();
    for (const turn of [1, 2]) {
      const input = { command: 'mkdir -p made/by/rule', description: 'Make a folder' };
      real.standIn.enqueue(reply(callTool('Bash', input)), reply('Made.'));
      await session.sendInput('Make it');
      await log.turn(turn);
    }
    await session.stop();
    expect(asked).toHaveLength(1);
    expect(asked[0]?.suggestions.length).toBeGreaterThan(0);
  });

  it('receives the answers to a question', async () => {
    const questions = [
      {
        question: 'Sweet or savoury?',
        header: 'Taste',
        multiSelect: false,
        options: [
          { label: 'Sweet', description: 'With sugar' },
          { label: 'Savoury', description: 'With salt' },
        ],
      },
    ];
    const { asked, toolResults } = await callOnce(
      { name: 'AskUserQuestion', input: { questions } },
      (request) => ({
        behavior: 'allow',
        updatedInput: { ...request.input, answers: { 'Sweet or savoury?': 'Savoury' } },
      }),
    );
    expect(asked[0]).toMatchObject({ toolName: 'AskUserQuestion', requiresUserInteraction: true });
    expect(toolResults).toContain('Savoury');
  });

  it('leaves plan mode when the plan is approved [driver.flags.permission-mode]', async () => {
    const { asked, log } = await callOnce(
      { name: 'ExitPlanMode', input: { plan: '1. Whisk the eggs.' } },
      () => ({ behavior: 'allow' }),
      { custom: { permission_mode: 'plan' } },
    );
    expect(log.metadata('session')[0]?.permissionMode).toBe('plan');
    expect(asked[0]).toMatchObject({ toolName: 'ExitPlanMode', requiresUserInteraction: true });
    expect(log.metadata('tool_result')[0]?.isError).toBe(false);
  });

  it('withdraws its question when the turn is interrupted', async () => {
    const aborted = createGate();
    const session = real.createSession({
      onPermission: (_request, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            aborted.open();
            resolve({ behavior: 'allow' });
          });
          void session.interrupt();
        }),
    });
    const log = new EventLog(session);
    await session.start();
    real.standIn.enqueue(
      reply(callTool('Bash', { command: 'touch late.txt', description: 'Touch' })),
      reply('No.'),
    );
    await session.sendInput('Do it');
    await aborted.opened;
    expect(await log.turn(1)).toMatchObject({ interrupted: true });
    expect(log.metadata('tool_result')).toMatchObject([{ isDenied: false, isStopped: true }]);
    await session.stop();
    await expect(access(join(real.workingDir, 'late.txt'))).rejects.toThrow('ENOENT');
  });
});

describe('control of the real program', () => {
  let real: RealProgram;
  beforeAll(async () => {
    real = await openRealProgram();
  });
  afterAll(() => real.close());

  it('can be interrupted in the middle of an answer, and accepts the next prompt', async () => {
    const session = real.createSession();
    const log = new EventLog(session);
    await session.start();
    real.standIn.enqueue(reply(say('I begin'), wait(new Promise(() => undefined))));
    await session.sendInput('Tell me a long story');
    await log.until(() => log.text === 'I begin');
    await session.interrupt();
    expect(await log.turn(1)).toMatchObject({ interrupted: true });
    expect(log.all('error')).toEqual([]);

    real.standIn.enqueue(reply('Ready.'));
    await session.sendInput('Are you there?');
    expect((await log.turn(2)).text).toBe('Ready.');
    await session.stop();
  });

  it('changes its model and permission mode, and reports its context and MCP servers', async () => {
    const session = real.createSession({ custom: { model: 'sonnet' } });
    const log = new EventLog(session);
    await session.start();
    real.standIn.enqueue(reply('One.'));
    await session.sendInput('First');
    await log.turn(1);
    await session.setModel('opus');
    await session.setPermissionMode('plan');
    real.standIn.enqueue(reply('Two.'));
    await session.sendInput('Second');
    await log.turn(2);

    const [first, second] = log.metadata('session');
    expect(first?.model).toContain('sonnet');
    expect(second?.model).toContain('opus');
    expect(second?.permissionMode).toBe('plan');
    const models = real.standIn.conversations.slice(-2).map((request) => request.body.model);
    expect(models).toEqual([expect.stringContaining('sonnet'), expect.stringContaining('opus')]);
    expect(await session.getContextUsage()).toHaveProperty('totalTokens', expect.any(Number));
    expect(await session.getMcpStatus()).toHaveProperty('mcpServers', []);
    expect(await session.request('get_settings')).toBeTypeOf('object');
    await expect(session.request('make_coffee')).rejects.toMatchObject({ code: 'control_refused' });
    await session.stop();
  });
});
