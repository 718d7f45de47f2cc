// Editing a prompt of a Claude Code session with the real program: a new session continues before it, and the transcript
// of the old one stays as it is.
import { stat } from 'node:fs/promises';
import { findTranscript } from '@parley/claude-cli';
import { reply } from '@parley/stand-ins';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { versionsOf } from '../../../src/domain/branches.ts';
import {
  type CodeHarness,
  eventually,
  openCodeHarness,
  person,
  runTurn,
  transcriptLines,
} from './harness.ts';

describe('a prompt in place of an earlier one of a session', () => {
  let code: CodeHarness;
  beforeAll(async () => {
    code = await openCodeHarness();
  });
  afterAll(() => code.close());

  async function talk(id: string, text: string, answer: string): Promise<string> {
    code.standIn.enqueue(reply(answer));
    return (await runTurn(code, id, text)).turnId;
  }

  async function branch(id: string, before: string, text: string, answer: string): Promise<string> {
    code.standIn.enqueue(reply(answer));
    const { session, turnId, after } = await code.gateway.branch({
      person,
      session: id,
      before,
      prompt: [{ type: 'text', text }],
      door: 'test',
    });
    for await (const envelope of code.gateway.subscribe(person, session.id, { after })) {
      if (envelope.turnId !== turnId || envelope.event.type !== 'turn.ended') continue;
      expect(envelope.event).toMatchObject({ outcome: 'completed', text: answer });
      break;
    }
    return session.id;
  }

  const sentToModel = () => JSON.stringify(code.standIn.conversations.at(-1)?.body.messages);
  const listed = async () => (await code.sessions.list(person, { limit: 50 })).sessions.map(({ id }) => id);
  const versions = async (id: string) => versionsOf(id, await code.gateway.branches(person, id), []);

  it('continues before it in a session of its own [code.session.versions]', async () => {
    const { id } = await code.newSession({ model: 'sonnet' });
    const one = await talk(id, 'The word is rye', 'Noted.');
    const two = await talk(id, 'Forget the word', 'Forgotten.');
    const before = await transcriptLines(code, id);

    const edited = await branch(id, two, 'What is the word?', 'Rye.');
    expect(sentToModel()).toContain('The word is rye');
    expect(sentToModel()).not.toContain('Forget the word');
    expect(await transcriptLines(code, id)).toEqual(before);
    expect((await transcriptLines(code, edited)).join()).not.toContain('Forget the word');
    expect((await code.gateway.getSession(person, edited)).settings).toMatchObject({
      model: 'sonnet',
      workingDir: code.project,
    });
    const sessions = [id, edited];
    expect(await versions(id)).toEqual([{ after: one, sessions, current: 0 }]);
    expect(await versions(edited)).toEqual([{ after: one, sessions, current: 1 }]);
    const { entries } = await code.sessions.past(person, edited, { limit: 50 });
    expect(entries.map(({ event }) => event.type === 'frame' && event.uuid)).toContain(one);

    // Both continue independently, even after their processes have ended. The list shows the one that was used last.
    await eventually(async () => (await listed()).includes(edited));
    expect(await listed()).not.toContain(id);
    await code.gateway.configure(person, id, { effort: 'low' });
    await talk(id, 'And now?', 'Nothing.');
    expect(sentToModel()).toContain('Forget the word');
    expect(sentToModel()).not.toContain('What is the word?');
    expect(await listed()).toContain(id);
    expect(await listed()).not.toContain(edited);
  });

  it('may be the first one, and is deleted, renamed and archived with the others [code.session.versions]', async () => {
    const { id } = await code.newSession();
    const one = await talk(id, 'Start with barley', 'Barley it is.');
    const again = await branch(id, one, 'Start with oats', 'Oats it is.');
    expect(sentToModel()).not.toContain('barley');
    expect(await versions(again)).toEqual([{ after: null, sessions: [id, again], current: 1 }]);
    await eventually(async () => (await listed()).includes(again));

    await code.sessions.rename(person, again, 'Grains');
    expect(await code.sessions.get(person, id)).toMatchObject({ title: 'Grains' });
    await code.sessions.archive(person, again, true);
    expect(await code.sessions.get(person, id)).toMatchObject({ isArchived: true });
    const files = await Promise.all([id, again].map((one) => findTranscript(code.home.projects, one)));
    await code.sessions.remove(person, again);
    for (const file of files) await expect(stat(file ?? '')).rejects.toThrow('ENOENT');
    await expect(code.sessions.get(person, id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('can be left out of a fork, which is a session of its own [app.versions.fork]', async () => {
    const { id } = await code.newSession();
    await talk(id, 'The word is spelt', 'Noted.');
    const two = await talk(id, 'Forget the word', 'Forgotten.');
    const fork = await code.gateway.fork(person, id, two);
    expect(fork.settings).toMatchObject({ workingDir: code.project, forkedFrom: id });
    expect(await versions(fork.id)).toEqual([]);
    await talk(fork.id, 'What is the word?', 'Spelt.');
    expect(sentToModel()).toContain('The word is spelt');
    expect(sentToModel()).not.toContain('Forget the word');
    await eventually(async () => (await listed()).includes(fork.id));
    expect(await listed()).toContain(id);
  });

  it('is refused for a message that is not there, and leaves nothing behind', async () => {
    const { id } = await code.newSession();
    await talk(id, 'Anything', 'Something.');
    const known = await listed();
    await expect(branch(id, crypto.randomUUID(), 'x', 'y')).rejects.toMatchObject({ code: 'not_found' });
    expect(await listed()).toEqual(known);
  });
});
