// Budgets with the real program: what it gets as an answer, and what its person sees.
import { stripVTControlCharacters } from 'node:util';
import type { BudgetRule, SessionEvent } from '@parley/protocol';
import { callTool, createGate, reply, wait } from '@parley/stand-ins';
import { afterEach, describe, expect, it } from 'vitest';
import { allow, type CodeHarness, eventually, openCodeHarness, person, runTurn } from './harness.ts';

let code: CodeHarness;
afterEach(() => code.close());

const aDay = (limit: number): BudgetRule => ({
  scope: 'person',
  subject: person,
  period: 'day',
  unit: 'tokens',
  limit,
});
const sentence = expect.stringMatching(
  /^The daily budget for ada is used up: [\d,]+ of [\d,]+ tokens\. It resets on .+ UTC\. An owner can raise it/,
) as string;
const refused = { outcome: 'failed', error: { code: 'over_budget', message: sentence } };
const budgetNotices = (events: readonly SessionEvent[]) =>
  events.flatMap((event) => (event.type === 'notice' && event.code === 'budget' ? [event.message] : []));

describe('a budget for Claude Code', () => {
  it('stops a turn before its next request, in a sentence, and continues once it is raised [team.budgets.relay] [team.budgets.raise]', async () => {
    code = await openCodeHarness();
    const { id } = await code.newSession();
    code.standIn.enqueue(reply(callTool('Bash', { command: 'touch made' })), reply('Done.'));
    const stopped = await runTurn(code, id, 'Make it', {
      decide: async () => {
        await code.spending.put(aDay(1));
        return allow;
      },
    });
    expect(stopped.ended).toMatchObject(refused);
    expect(code.standIn.requests).toHaveLength(1);
    // The next prompt does not even start.
    expect((await runTurn(code, id, 'Again')).ended).toMatchObject(refused);
    expect(code.standIn.requests).toHaveLength(1);
    await code.spending.put(aDay(1_000_000));
    expect((await runTurn(code, id, 'Again')).ended).toMatchObject({ outcome: 'completed', text: 'Done.' });
  });

  it('warns at 80 % within the turn, and books every request in the usage book [team.budgets.warning] [team.budgets.crash]', async () => {
    code = await openCodeHarness();
    const { id } = await code.newSession();
    code.standIn.enqueue(reply('One.'), reply('Two.'));
    expect(budgetNotices((await runTurn(code, id, 'One')).events)).toEqual([]);
    const [line] = await code.store.usage.byDay(0);
    expect(line).toMatchObject({ person, engine: 'claude-code', turns: 0 });
    const { outputTokens = 0, cacheWriteTokens = 0 } = line?.usage ?? {};
    expect(outputTokens + cacheWriteTokens).toBeGreaterThan(1_000);
    await code.spending.put(aDay(20_000));
    const { events } = await runTurn(code, id, 'Two');
    expect(budgetNotices(events)).toEqual([expect.stringMatching(/^The daily budget for ada is \d+ % used/)]);
  });

  it('lets parallel sessions exceed it by at most one request [team.budgets.one-request]', async () => {
    code = await openCodeHarness();
    const sessions = [await code.newSession(), await code.newSession(), await code.newSession()];
    for (const { id } of sessions) await code.gateway.wake(person, id);
    // One request costs more than the rest of the budget.
    await code.spending.put(aDay(5_000));
    const gate = createGate();
    code.standIn.enqueue(reply(wait(gate.opened), 'First.'), reply('Too much.'), reply('Too much.'));
    const turns = sessions.map(({ id }) => runTurn(code, id, 'Go'));
    await eventually(() => code.standIn.requests.length === 1);
    gate.open();
    const outcomes = (await Promise.all(turns)).map(({ ended }) => ended.error?.code ?? ended.text);
    expect(outcomes.sort()).toEqual(['First.', 'over_budget', 'over_budget']);
    expect(code.standIn.requests).toHaveLength(1);
  });

  it('shows the sentence on the screen of a terminal [team.budgets.terminal]', async () => {
    code = await openCodeHarness();
    const { id } = await code.newSession({ mode: 'cli' });
    let screen = '';
    const notices: string[] = [];
    const viewer = {
      data: (bytes: Uint8Array) => (screen += Buffer.from(bytes)).length > 0,
      notify: (text: string) => void notices.push(text),
      ended() {},
    };
    const link = await code.terminals.attach(person, id, viewer);
    await eventually(() => screen.includes('❯'));
    await code.spending.put(aDay(12_000));
    code.standIn.enqueue(reply('Shown on the screen.'));
    const type = (text: string) => {
      link.write(Buffer.from(text));
      link.write(Buffer.from('\r'));
    };
    type('Hello');
    await eventually(() => notices.length > 0);
    expect(notices).toEqual([expect.stringMatching(/^The daily budget for ada is \d+ % used/)]);
    await eventually(() => /Shown\s*on\s*the\s*screen/.test(stripVTControlCharacters(screen)));
    const { length } = code.standIn.requests;
    type('Once more');
    await eventually(() => /budget\s*for\s*ada\s*is\s*used\s*up/.test(stripVTControlCharacters(screen)));
    expect(code.standIn.requests).toHaveLength(length);
  });

  it('counts what the program reports where it has its own login [team.budgets.own-login]', async () => {
    code = await openCodeHarness({ ownLogin: true, budgets: [{ ...aDay(13_000) }] });
    const { id } = await code.newSession();
    code.standIn.enqueue(reply('One.'), reply('Two.'));
    const first = await runTurn(code, id, 'One');
    expect(first.ended.outcome).toBe('completed');
    expect(budgetNotices(first.events)).toHaveLength(1);
    expect(code.spending.list()[0]?.spent).toBeGreaterThan(5_000);
    await runTurn(code, id, 'Two');
    expect((await runTurn(code, id, 'Three')).ended).toMatchObject(refused);
  });
});
