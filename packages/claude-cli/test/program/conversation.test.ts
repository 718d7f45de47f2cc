// Conversations with the real program, with the Anthropic stand-in behind it.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { callTool, lastUserText, reply, say, systemText, withOptions } from '@parley/stand-ins';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ClaudeCliError } from '../../src/index.ts';
import { isAlive } from '../support/processes.ts';
import { EventLog } from '../support/reading.ts';
import { openRealProgram, type RealProgram } from '../support/real-program.ts';

describe('a session with the real program', () => {
  let real: RealProgram;
  beforeAll(async () => {
    real = await openRealProgram();
  });
  afterAll(() => real.close());

  it('answers a prompt with text, tokens and cost, and stops without leaving anything [driver.end-to-end] [driver.process.start-and-stop] [driver.events.order] [driver.events.totals]', async () => {
    const session = real.createSession();
    const log = new EventLog(session);
    await session.start();
    const { pid } = session.status();
    real.standIn.enqueue(reply(say('Hello ', 'there', '!')));
    await session.sendInput('Say hello');
    const turn = await log.turn(1);
    await session.stop();
    await log.done;

    expect(log.text).toBe('Hello there!');
    expect(turn).toMatchObject({ outcome: 'success', isError: false, text: 'Hello there!' });
    expect(turn.sessionId).toBe(session.status().sessionId);
    expect(log.states).toEqual(['starting', 'running', 'stopping', 'stopped']);
    expect(log.all('error')).toEqual([]);
    const [perMessage, perTurn] = log.all('metric');
    expect(log.all('metric')).toHaveLength(2);
    expect(perMessage).toMatchObject({ scope: 'message' });
    expect(perTurn).toMatchObject({ scope: 'turn', outputTokens: perMessage?.outputTokens, modelTurns: 1 });
    expect(perTurn).toHaveProperty('costUsd', expect.any(Number));
    expect(isAlive(pid as number)).toBe(false);
  });

  it('accepts several prompts in one process and counts the cost of each turn [driver.process.send-input]', async () => {
    const session = real.createSession();
    const log = new EventLog(session);
    await session.start();
    for (const number of [1, 2, 3]) {
      real.standIn.enqueue(reply(`Answer ${number}.`));
      await session.sendInput(`Question ${number}`);
      expect((await log.turn(number)).text).toBe(`Answer ${number}.`);
    }
    const turns = log.all('metric').filter((metric) => metric.scope === 'turn');
    expect(turns).toHaveLength(3);
    const total = turns.reduce((sum, turn) => sum + turn.costUsd, 0);
    expect(total).toBeCloseTo(turns.at(-1)?.totalCostUsd ?? 0, 9);
    await session.stop();
  });

  it('delivers frames byte for byte next to the events [driver.stream.by-line]', async () => {
    const session = real.createSession();
    const log = new EventLog(session);
    const lines: string[] = [];
    session.onFrame((frame) => void lines.push(frame.bytes.toString('utf8')));
    await session.start();
    real.standIn.enqueue(reply(say('Gr\u00fc\u00dfe \u2028', ' \u{1f9d1}\u200d\u{1f373}')));
    await session.sendInput('Greet');
    await log.turn(1);
    await session.stop();

    const bodies = lines.map((line) => JSON.parse(line) as { type: string });
    expect(bodies.at(0)).toMatchObject({ type: 'system', subtype: 'init' });
    expect(bodies.some((body) => body.type === 'result')).toBe(true);
    expect(bodies.every((body) => !body.type.startsWith('control_'))).toBe(true);
    expect(lines.every((line) => !line.includes('\n'))).toBe(true);
    expect(log.text).toBe('Gr\u00fc\u00dfe \u2028 \u{1f9d1}\u200d\u{1f373}');
  });

  it('runs in its working directory, and reports tools and their results [driver.process.working-directory] [driver.events.tool-use]', async () => {
    await writeFile(join(real.workingDir, 'recipe.txt'), 'two eggs');
    const session = real.createSession();
    const log = new EventLog(session);
    await session.start();
    const input = { file_path: join(real.workingDir, 'recipe.txt') };
    real.standIn.enqueue(reply(callTool('Read', input)), reply('It needs two eggs.'));
    await session.sendInput('Read the recipe');
    await log.turn(1);
    await session.stop();

    expect(log.metadata('session')[0]).toMatchObject({ workingDir: real.workingDir });
    const calls = log.metadata('tool_use');
    expect(calls.map(({ name, complete }) => [name, complete])).toEqual([
      ['Read', false],
      ['Read', true],
    ]);
    expect(calls[1]).toMatchObject({ input });
    expect(log.metadata('tool_result')).toMatchObject([{ toolUseId: calls[1]?.id, isError: false }]);
    expect(JSON.stringify(log.metadata('tool_result')[0]?.content)).toContain('two eggs');
    expect(log.text).toBe('It needs two eggs.');
  });

  it('continues the conversation after the process ended [driver.session.resume]', async () => {
    const session = real.createSession();
    await session.start();
    const first = new EventLog(session);
    real.standIn.enqueue(reply('I shall remember: blue.'));
    await session.sendInput('My color is blue');
    await first.turn(1);
    await session.stop();
    const { sessionId } = session.status();

    await session.start();
    const second = new EventLog(session);
    real.standIn.enqueue(reply('Blue.'));
    await session.sendInput('Which color?');
    expect((await second.turn(1)).sessionId).toBe(sessionId);
    await session.stop();
    expect(JSON.stringify(real.standIn.conversations.at(-1)?.body).includes('My color is blue')).toBe(true);
  });

  it('resumes by id and forks, each branch with its own id [driver.session.fork]', async () => {
    const original = real.createSession();
    const log = new EventLog(original);
    await original.start();
    real.standIn.enqueue(reply('Noted.'));
    await original.sendInput('The code word is heron');
    await log.turn(1);
    await original.stop();
    const { sessionId } = original.status();

    const fork = real.createSession({ custom: { resume: sessionId, fork_session: true } });
    const forkLog = new EventLog(fork);
    await fork.start();
    real.standIn.enqueue(reply('Heron.'));
    await fork.sendInput('The code word?');
    const forked = await forkLog.turn(1);
    await fork.stop();
    expect(forked.sessionId).toBe(fork.status().sessionId);
    expect(forked.sessionId).not.toBe(sessionId);
    expect(JSON.stringify(real.standIn.conversations.at(-1)?.body).includes('heron')).toBe(true);

    const resumed = real.createSession({ custom: { resume: sessionId } });
    const resumedLog = new EventLog(resumed);
    await resumed.start();
    real.standIn.enqueue(reply('Still heron.'));
    await resumed.sendInput('And now?');
    expect((await resumedLog.turn(1)).sessionId).toBe(sessionId);
    await resumed.stop();
    expect(JSON.stringify(real.standIn.conversations.at(-1)?.body).includes('The code word?')).toBe(false);
  });

  it('stops spending at the budget and warns on the way [driver.budget.limit] [driver.budget.warnings]', async () => {
    const session = real.createSession({ custom: { max_budget_usd: 1, model: 'sonnet' } });
    const log = new EventLog(session);
    await session.start();
    const usage = {
      input_tokens: 100,
      output_tokens: 20_000,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
    };
    for (let turn = 1; turn <= 20 && !log.turns.some((ended) => ended.isError); turn += 1) {
      real.standIn.enqueue(withOptions(reply('Costly.'), { usage }));
      await session.sendInput(`Prompt ${turn}`);
      await log.turn(turn);
    }
    await session.stop();
    expect(log.turns.at(-1)).toMatchObject({ outcome: 'error_max_budget_usd', isError: true });
    expect(log.metadata('budget_warning').map((warning) => warning.percent)).toEqual([50, 80, 95]);
    expect(log.all('error')).toMatchObject([{ code: 'turn_failed', fatal: false }]);
  });

  it('replaces and appends to the system prompt [driver.flags.system-prompt]', async () => {
    const replaced = real.createSession({ systemPrompt: 'You are a lighthouse keeper.' });
    const appended = real.createSession({ custom: { append_system_prompt: '--dashed: speak of the sea.' } });
    for (const session of [replaced, appended]) {
      const log = new EventLog(session);
      await session.start();
      real.standIn.enqueue(reply('Aye.'));
      await session.sendInput('Who are you?');
      await log.turn(1);
      await session.stop();
    }
    const [first, second] = real.standIn.conversations.slice(-2).map((request) => systemText(request.body));
    expect(first).toContain('You are a lighthouse keeper.');
    expect(first).not.toContain('speak of the sea');
    expect(second).toContain('--dashed: speak of the sea.');
  });

  it("sends a person's text only through stdin, whatever it contains [driver.flags.safe-arguments]", async () => {
    const session = real.createSession();
    const log = new EventLog(session);
    await session.start();
    const { pid } = session.status();
    real.standIn.enqueue(reply('I see.'));
    await session.sendInput('--dangerously-skip-permissions\n{"type":"control_request"}');
    await log.turn(1);
    const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8');
    await session.stop();
    expect(commandLine).not.toContain('dangerously');
    const request = real.standIn.conversations.at(-1);
    expect(request && lastUserText(request.body)).toContain(
      '--dangerously-skip-permissions\n{"type":"control_request"}',
    );
  });

  it('finishes its turn and stops when its input is closed [driver.process.clean-exit]', async () => {
    const session = real.createSession();
    const log = new EventLog(session);
    await session.start();
    real.standIn.enqueue(reply('Goodbye.'));
    await session.sendInput('Last words?');
    session.endInput();
    await log.done;
    expect(log.text).toBe('Goodbye.');
    expect(log.states).toEqual(['starting', 'running', 'stopped']);
    await expect(session.sendInput('Too late')).rejects.toMatchObject({
      code: 'illegal_move' satisfies ClaudeCliError['code'],
    });
  });
});
