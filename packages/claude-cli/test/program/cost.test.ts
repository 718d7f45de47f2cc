// What turns cost when a conversation continues in another process: the real program counts from its last note.
import { appendFile, readFile } from 'node:fs/promises';
import { reply, withOptions } from '@parley/stand-ins';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectsRoot, readSpentUsd, type SessionConfig, transcriptPath } from '../../src/index.ts';
import { EventLog } from '../support/reading.ts';
import { openRealProgram, type RealProgram } from '../support/real-program.ts';

const usage = {
  input_tokens: 100,
  output_tokens: 20_000,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
};

describe('the cost of a conversation that continues', () => {
  let real: RealProgram;
  /** Every turn below costs the same. */
  let perTurn: number;
  beforeAll(async () => {
    real = await openRealProgram();
    perTurn = (await converse({}, ['First']))?.total ?? Number.NaN;
  });
  afterAll(() => real.close());

  async function converse(
    custom: SessionConfig['custom'],
    prompts: readonly string[],
    end: 'stop' | 'crash' = 'stop',
  ) {
    const session = real.createSession({ custom: { model: 'sonnet', ...custom } });
    const log = new EventLog(session);
    await session.start();
    for (const [index, prompt] of prompts.entries()) {
      real.standIn.enqueue(...(prompt.startsWith('/') ? [] : [withOptions(reply('Costly.'), { usage })]));
      await session.sendInput(prompt);
      await log.turn(index + 1);
    }
    const { sessionId, pid } = session.status();
    if (end === 'stop') await session.stop();
    else process.kill(pid as number, 'SIGKILL');
    await log.done;
    const turns = log.all('metric').filter((metric) => metric.scope === 'turn');
    return {
      sessionId,
      file: transcriptPath(projectsRoot(real.home), real.workingDir, sessionId),
      total: turns.at(-1)?.totalCostUsd ?? Number.NaN,
      inTurns: turns.map(({ costUsd }) => Number((costUsd / perTurn).toFixed(6))),
      warnings: log.metadata('budget_warning'),
      outcomes: log.turns.map(({ outcome }) => outcome),
    };
  }

  it('is counted once across resuming, forking and continuing [driver.events.totals]', async () => {
    const first = await converse({}, ['One', 'Two']);
    expect(first.inTurns).toEqual([1, 1]);
    expect(await readSpentUsd(first.file)).toBeCloseTo(2 * perTurn, 9);

    const resumed = await converse({ resume: first.sessionId }, ['Three']);
    expect(resumed.inTurns).toEqual([1]);
    expect(resumed.total).toBeCloseTo(3 * perTurn, 9);

    const fork = await converse({ resume: first.sessionId, fork_session: true }, ['Four']);
    expect(fork.sessionId).not.toBe(first.sessionId);
    expect(fork.inTurns).toEqual([1]);
    expect(fork.total).toBeCloseTo(4 * perTurn, 9);

    const continued = await converse({ continue: true }, ['Five']);
    expect(continued.sessionId).toBe(fork.sessionId);
    expect(continued.inTurns).toEqual([1]);
  });

  it("is counted from the program's last note, even after a crash", async () => {
    const { sessionId, file } = await converse({}, ['One']);
    await converse({ resume: sessionId }, ['Two', 'Three'], 'crash');
    expect(await readSpentUsd(file)).toBeCloseTo(perTurn, 9);
    const resumed = await converse({ resume: sessionId }, ['Four']);
    expect(resumed.inTurns).toEqual([1]);
    expect(resumed.total).toBeCloseTo(2 * perTurn, 9);
  });

  it('starts at zero after the conversation was cleared', async () => {
    expect((await converse({}, ['One', '/clear', 'Two', 'Three'])).inTurns).toEqual([1, 0, 1, 1]);
  });

  it('does not count towards the budget of a later process [driver.budget.warnings]', async () => {
    const { sessionId } = await converse({}, ['One', 'Two', 'Three']);
    const limitUsd = 2.2 * perTurn;
    const resumed = await converse({ resume: sessionId, max_budget_usd: limitUsd }, ['Four', 'Five', 'Six']);
    expect(resumed.outcomes).toEqual(['success', 'success', 'error_max_budget_usd']);
    expect(resumed.warnings.map(({ percent }) => percent)).toEqual([50, 80, 95]);
    expect(resumed.warnings[0]?.spentUsd).toBeCloseTo(2 * perTurn, 9);
  });

  it('ignores notes of another session', async () => {
    const { file, sessionId } = await converse({}, ['One']);
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
    const note = lines.findLast((line) => line.includes('"cost-state"')) ?? '';
    const foreign = note.replace(sessionId, '00000000-0000-4000-8000-000000000000');
    await appendFile(file, `${foreign.replace('"totalCostUSD":', '"totalCostUSD":7')}\n`);
    expect(await readSpentUsd(file)).toBeCloseTo(perTurn, 9);
    const resumed = await converse({ resume: sessionId }, ['Two']);
    expect(resumed.inTurns).toEqual([1]);
    expect(await readSpentUsd(file)).toBeCloseTo(2 * perTurn, 9);
  });
});
