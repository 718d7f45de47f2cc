// What fills the context of the real program, and compacting it.
import { reply } from '@parley/stand-ins';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CodeHarness, openCodeHarness, person, runTurn } from './harness.ts';

describe('the context of Claude Code', { timeout: 120_000 }, () => {
  let code: CodeHarness;
  beforeAll(async () => {
    code = await openCodeHarness();
  });
  afterAll(() => code.close());

  it('is shown by its parts while the program is awake [app.context.parts]', async () => {
    const { id } = await code.newSession();
    expect(await code.gateway.context(person, id)).toBeUndefined();
    code.standIn.enqueue(reply('Hello.'));
    await runTurn(code, id, 'Hi');
    const use = await code.gateway.context(person, id);
    expect(use?.window).toBeGreaterThan(100_000);
    expect(use?.tokens).toBeGreaterThan(0);
    expect(use?.parts.map(({ id: part }) => part)).toContain('messages');
    expect(use?.parts.map(({ id: part }) => part)).not.toContain('free_space');
  });

  it('is replaced by a summary with /compact, and the transcript keeps what was said [app.context.compact]', async () => {
    const { id } = await code.newSession();
    code.standIn.enqueue(reply('Noted: figs.'));
    await runTurn(code, id, 'I like figs');
    // The stand-in needs no script to summarize what the person asked.
    await runTurn(code, id, '/compact');
    code.standIn.enqueue(reply('Figs.'));
    await runTurn(code, id, 'What do I like?');
    const last = JSON.stringify(code.standIn.conversations.at(-1)?.body.messages);
    expect(last).toContain('The summary below covers the earlier portion');
    expect(last).toContain('I like figs');
    expect(last).not.toContain('Noted: figs.');
    const { entries } = await code.sessions.past(person, id, { limit: 100 });
    expect(JSON.stringify(entries)).toContain('Noted: figs.');
  });
});
