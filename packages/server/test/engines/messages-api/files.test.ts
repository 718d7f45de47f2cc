// Files that go to the model as documents.
import { callTool, httpError, reply } from '@parley/stand-ins';
import { describe, expect, it } from 'vitest';
import { filePart, pdf } from '../../support/files.ts';
import { Harness, ofType, tool } from './harness.ts';

const words = (text: string) => ({ type: 'text', text }) as const;
const report = filePart('report.pdf', pdf({ pages: 2 }));
const code = filePart('main.ts', 'export const a = 1;\n');

describe('files of a prompt', () => {
  it('go to the model as documents, before the question, and again with the next prompt [app.attachments.documents]', async () => {
    await using harness = await Harness.start();
    harness.api.enqueue(reply('Read.'), reply('Still there.'));
    await harness.prompt([report, code, words('What is it?')]);
    await harness.prompt('And now?');

    const documents = [
      {
        type: 'document',
        title: 'report.pdf',
        source: { type: 'base64', media_type: 'application/pdf', data: report.data },
      },
      {
        type: 'document',
        title: 'main.ts',
        source: { type: 'text', media_type: 'text/plain', data: 'export const a = 1;\n' },
      },
    ];
    const [first, second] = harness.api.requests.map(({ body }) => body.messages);
    expect(first?.[0]?.content).toMatchObject([...documents, words('What is it?')]);
    expect(second?.[0]?.content).toMatchObject([...documents, words('What is it?')]);
  });

  it.each([
    ['another kind', [filePart('a.zip', Buffer.from([80, 75, 0, 255]))], 'a.zip can’t be read here'],
    ['a locked PDF', [filePart('a.pdf', pdf({ pages: 1, isLocked: true }))], 'protected with a password'],
    [
      'more than 100 pages',
      [filePart('a.pdf', pdf({ pages: 60 })), filePart('b.pdf', pdf({ pages: 41 }))],
      '101 pages',
    ],
    ['a long text', [filePart('a.txt', 'word '.repeat(100_000))], 'too long: about 125001 tokens'],
    ['a blank text', [filePart('a.txt', ' \n')], 'a.txt is empty'],
  ])('are refused if no model can read them: %s [app.attachments.limits]', async (_, files, sentence) => {
    await using harness = await Harness.start();
    expect(() => harness.engine.check?.([...files, words('Read it.')])).toThrow(sentence);
    expect(() => harness.engine.check?.([report, code, words('Read it.')])).not.toThrow();
  });

  it('that the service cannot read are left out of later requests', async () => {
    await using harness = await Harness.start();
    const refusal = httpError(400, 'invalid_request_error', 'messages.0: The PDF specified was not valid.');
    harness.api.enqueue(refusal, refusal, reply('Fine.'));
    const failed = await harness.prompt([report, words('Read it.')]);
    expect(ofType(failed, 'failed')[0]?.message).toContain('could not read the file');
    // A stopped prompt stays in the history; what failed before an answer does not.
    harness.history.push({ role: 'assistant', content: [words('I tried.')] });
    const next = await harness.prompt('Hello?');
    expect(ofType(next, 'notice')).toMatchObject([{ code: 'pictures-left-out' }]);
    expect(JSON.stringify(harness.api.requests.at(-1)?.body)).toContain('[A file that could not be read.]');
  });

  it('count as read from outside, so that sending something asks first', async () => {
    const asked: string[] = [];
    const post = {
      ...tool('post', () => Promise.resolve({ content: 'Posted.' })),
      risk: () => Promise.resolve({ kind: 'send', what: 'Post this' } as const),
    };
    await using harness = await Harness.start({ tools: [post] });
    harness.api.enqueue(reply(callTool('post')), reply('Not posted.'));
    const events = await harness.prompt([code, words('Post it.')], {
      askPermission: async (request) => {
        asked.push(request.tool);
        return { behavior: 'deny', message: 'Not yet.' };
      },
    });
    expect(asked).toEqual(['post']);
    expect(ofType(events, 'tool.ended')).toMatchObject([
      { outcome: 'failed', denied: true, reason: 'Not yet.' },
    ]);
  });
});
