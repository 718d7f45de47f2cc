// Turns of the real program through the gateway: its frames, its cost, and how a turn ends.
import { randomUUID } from 'node:crypto';
import { callTool, createGate, httpError, reply, say, sessionOf, think, wait } from '@parley/stand-ins';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  allow,
  type CodeHarness,
  eventually,
  framesIn,
  openCodeHarness,
  person,
  runTurn,
  transcriptLines,
} from './harness.ts';

describe('a turn of Claude Code', () => {
  let code: CodeHarness;
  beforeAll(async () => {
    code = await openCodeHarness();
  });
  afterAll(() => code.close());

  it('starts with the first message, streams, and ends with its cost [code.session.activate-on-message] [code.messages.result-cost]', async () => {
    const { id } = await code.newSession();
    expect(code.engine.statusOf(id)).toBe('archived');
    code.standIn.enqueue(reply(think('Hm.'), say('Hello ', 'there.')));
    const { events, ended, turnId } = await runTurn(code, id, 'Hi');

    expect(ended).toMatchObject({ outcome: 'completed', text: 'Hello there.' });
    expect(ended.usage.costUsd).toBeGreaterThan(0);
    expect(ended.usage.outputTokens).toBeGreaterThan(0);
    const deltas = events.flatMap((event) => (event.type === 'text.delta' ? [event.text] : []));
    expect(deltas).toEqual(['Hello ', 'there.']);
    expect(events.some((event) => event.type === 'thinking.delta')).toBe(true);
    expect(code.engine.statusOf(id)).toBe('active');
    const messages = events.flatMap((event) => (event.type === 'message' ? [event.role] : []));
    // The program sends one frame for each block.
    expect(messages).toEqual(['user', 'assistant', 'assistant']);
    const lines = await transcriptLines(code, id);
    expect(lines.some((line) => JSON.parse(line).uuid === turnId)).toBe(true);
  });

  it('passes on what the program wrote, without the control protocol [code.proxy.control-stays-inside]', async () => {
    const { id } = await code.newSession();
    code.standIn.enqueue(
      reply(
        say('Ünïcödé \u2028 and "quotes" \\ 🎈'),
        callTool('Bash', { command: 'touch made.txt', description: 'Touch' }),
      ),
      reply('Made.'),
    );
    const { frames } = await runTurn(code, id, 'Do it', { decide: () => allow });

    const parsed = frames.map((raw) => JSON.parse(raw) as Record<string, unknown>);
    expect(parsed.filter(({ type }) => String(type).startsWith('control_'))).toEqual([]);
    expect(parsed.map(({ type }) => type)).toContain('command_lifecycle');
    // The keys of a frame keep the program's order; a frame that we wrote again would also lose the escapes.
    expect(frames.some((raw) => raw.includes('Ünïcödé'))).toBe(true);
    const lines = await transcriptLines(code, id);
    const kept = new Map(
      lines
        .map((line) => JSON.parse(line))
        .filter(({ uuid }) => uuid)
        .map((line) => [line.uuid, line]),
    );
    const both = parsed.filter((frame) => kept.has(frame['uuid']) && 'message' in frame);
    expect(both.length).toBeGreaterThanOrEqual(4);
    for (const frame of both) {
      const line = kept.get(frame['uuid']);
      const { content } = frame['message'] as { content: unknown };
      expect(line.message.content).toEqual(content);
      expect(line.type).toBe(frame['type']);
    }
  });

  it('does not send a prompt that is stopped while the turn start is being saved', async () => {
    const session = await code.newSession();
    const { id } = session;
    await code.gateway.wake(person, id);
    code.standIn.script((request) => sessionOf(request) === id).always(reply('Too late.'));
    const stopping = new AbortController();
    const events = code.engine.run({
      id: randomUUID(),
      session,
      prompt: [{ type: 'text', text: 'Never mind' }],
      signal: stopping.signal,
      saveStart: async () => stopping.abort(),
      history: async () => {
        throw new Error('The program knows its own history.');
      },
      askPermission: async () => ({ behavior: 'deny' }),
    });
    for await (const event of events) expect(event).toBeUndefined();
    expect(code.engine.statusOf(id)).toBe('active');
    const { ended } = await runTurn(code, id, 'Now');
    expect(ended).toMatchObject({ outcome: 'completed' });
    expect((await transcriptLines(code, id)).join('')).not.toContain('Never mind');
  });

  it('reports a failure of the model in a sentence, and continues', async () => {
    const { id } = await code.newSession();
    const odd = code.standIn
      .script((request) => sessionOf(request) === id)
      .always(httpError(400, 'invalid_request_error', 'That was too odd.'));
    const failed = await runTurn(code, id, 'Be odd');
    expect(failed.ended).toMatchObject({ outcome: 'failed', error: { recoverable: true } });
    expect(failed.ended.error?.message).toContain('That was too odd.');
    odd.remove();
    code.standIn.enqueue(reply('Better.'));
    expect((await runTurn(code, id, 'Be even')).ended.text).toBe('Better.');
  });

  it('is interrupted, and the session stays usable', async () => {
    const { id } = await code.newSession();
    code.standIn.enqueue(reply(say('I begin'), wait(new Promise(() => undefined))));
    const { ended } = await runTurn(code, id, 'A long story', {
      onEvent: (event) => {
        if (event.type === 'text.delta') void code.gateway.interrupt(person, id);
      },
    });
    expect(ended).toMatchObject({ outcome: 'interrupted', text: 'I begin' });
    code.standIn.enqueue(reply('Ready.'));
    expect((await runTurn(code, id, 'Are you there?')).ended.text).toBe('Ready.');
  });

  it('answers what is added while it runs', async () => {
    const { id } = await code.newSession();
    const gate = createGate();
    code.standIn.enqueue(
      reply(say('Thinking'), wait(gate.opened), say(' done.')),
      reply('And the other thing.'),
    );
    let steered: Promise<boolean> | undefined;
    const { ended, frames } = await runTurn(code, id, 'First', {
      onEvent: (event) => {
        if (event.type !== 'text.delta' || steered) return;
        steered = code.gateway.steer(person, id, [{ type: 'text', text: 'Also this' }]);
        void steered.then(() => gate.open());
      },
    });
    expect(await steered).toBe(true);
    expect(ended).toMatchObject({ outcome: 'completed', text: 'And the other thing.' });
    expect(frames.filter((raw) => JSON.parse(raw).type === 'result')).toHaveLength(2);
  });

  it('passes what happens between turns to the reader that woke the session', async () => {
    const { id } = await code.newSession();
    const seen: string[] = [];
    const stop = new AbortController();
    const reading = (async () => {
      for await (const { event } of code.gateway.subscribe(person, id, { signal: stop.signal })) {
        seen.push(...framesIn([event]));
      }
    })();
    await code.gateway.wake(person, id);
    expect(code.engine.statusOf(id)).toBe('active');
    code.standIn.enqueue(reply('Fine.'));
    await runTurn(code, id, 'How are you?');
    // The program notes a change of its model in the conversation.
    await code.gateway.configure(person, id, { model: 'sonnet' });
    await eventually(() => seen.some((raw) => raw.includes('Set model')));
    stop.abort();
    await reading;
  });

  it('runs in two sessions at once', async () => {
    const [one, two] = [await code.newSession(), await code.newSession()];
    const bothAsked = createGate();
    let asked = 0;
    for (const [session, text] of [
      [one, 'One.'],
      [two, 'Two.'],
    ] as const) {
      code.standIn.script(
        (request) => sessionOf(request) === session.id,
        () => {
          asked += 1;
          if (asked === 2) bothAsked.open();
          return reply(wait(bothAsked.opened), say(text));
        },
      );
    }
    const [first, second] = await Promise.all([runTurn(code, one.id, 'Go'), runTurn(code, two.id, 'Go')]);
    expect([first.ended.text, second.ended.text]).toEqual(['One.', 'Two.']);
  });
});
