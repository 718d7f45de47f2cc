// The engine with version 2.0.8 of the program, which lacks some flags and answers some requests differently.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { callTool, type RecordedRequest, reply, say, wait } from '@parley/stand-ins';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allow, type CodeHarness, openCodeHarness, person, runTurn } from './harness.ts';

const require = createRequire(import.meta.url);

const isPrompt = ({ body }: RecordedRequest) => (body.tools?.length ?? 0) > 0;

describe('a session of an old program', () => {
  let code: CodeHarness;
  beforeAll(async () => {
    code = await openCodeHarness({
      program: join(dirname(require.resolve('claude-2.0/package.json')), 'cli.js'),
    });
    // This version also asks the model on the side, for example for a summary. Those requests have no tools.
    code.standIn.script((request) => !isPrompt(request)).always(reply('A summary.'));
  });
  afterAll(() => code.close());

  it('answers, asks, is interrupted, sleeps and resumes [driver.versions.skip] [driver.versions.interrupt]', async () => {
    const { id } = await code.newSession();
    await code.gateway.configure(person, id, { effort: 'low' });
    code.standIn.enqueue(
      reply(callTool('Write', { file_path: join(code.project, 'made.txt'), content: 'Made' })),
      reply(say('Made ', 'it.')),
    );
    const asked: string[] = [];
    const first = await runTurn(code, id, 'The code word is heron', {
      decide: ({ tool }) => {
        asked.push(tool);
        return allow;
      },
    });
    expect(asked).toEqual(['Write']);
    expect(first.ended).toMatchObject({ outcome: 'completed', text: 'Made it.' });

    code.standIn.enqueue(reply(say('I begin'), wait(new Promise(() => undefined))));
    const { ended } = await runTurn(code, id, 'A long story', {
      onEvent: (event) => {
        if (event.type === 'text.delta') void code.gateway.interrupt(person, id);
      },
    });
    expect(ended).toMatchObject({ outcome: 'interrupted', text: 'I begin' });

    await code.gateway.configure(person, id, { effort: 'high' });
    expect(code.engine.statusOf(id)).toBe('archived');
    code.standIn.enqueue(reply('Heron.'));
    expect((await runTurn(code, id, 'The code word?')).ended).toMatchObject({
      outcome: 'completed',
      text: 'Heron.',
    });
    const request = code.standIn.conversations.findLast(isPrompt);
    expect(JSON.stringify(request?.body)).toContain('The code word is heron');
  });
});
