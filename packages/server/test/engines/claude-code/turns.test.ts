// Turns of the real program through the gateway: its frames, its cost, and how a turn ends.
import { randomUUID } from 'node:crypto';
import type { EngineEvent } from '@parley/protocol';
import { callTool, createGate, httpError, reply, say, sessionOf, think, wait } from '@parley/stand-ins';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { maxKeptText } from '../../../src/content/kept-text.ts';
import { TurnFeed } from '../../../src/engines/claude-code/process/turn-feed.ts';
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

  it('passes on a very long answer in full and keeps its beginning [code.turn.bounded]', async () => {
    const { id } = await code.newSession();
    const pieces = Array.from({ length: 40 }, () => 'long '.repeat(10_000));
    code.standIn.enqueue(reply(say(...pieces)));
    const { events, frames, ended } = await runTurn(code, id, 'Tell me everything');
    const streamed = events.flatMap((event) => (event.type === 'text.delta' ? [event.text] : []));
    expect(streamed.join('')).toBe(pieces.join(''));
    expect(frames.some((raw) => raw.includes(pieces.join('')))).toBe(true);
    expect(ended).toMatchObject({ outcome: 'completed', text: pieces.join('').slice(0, maxKeptText) });
    const notices = events.filter((event) => event.type === 'notice').map(({ code: name }) => name);
    expect(notices).toContain('answer-cut');
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

  it('that fails before it is answered is not sent again with the next one [code.session.failed-prompt]', async () => {
    const { id } = await code.newSession();
    const sent = () => JSON.stringify(code.standIn.conversations.at(-1)?.body.messages);
    code.standIn.enqueue(reply('Hello.'));
    await runTurn(code, id, 'First');
    const busy = code.standIn
      .script((request) => sessionOf(request) === id)
      .always(httpError(400, 'invalid_request_error', 'Not now.'));
    for (const text of ['Add eggs', 'Add milk'])
      expect((await runTurn(code, id, text)).ended.outcome).toBe('failed');
    busy.remove();
    code.standIn.enqueue(reply('Added.'), reply('Two.'));
    expect((await runTurn(code, id, 'Add milk')).ended.text).toBe('Added.');
    expect(sent()).toContain('First');
    expect(sent()).not.toContain('Add eggs');
    expect(sent().match(/Add milk/g)).toHaveLength(1);
    expect((await runTurn(code, id, 'How many?')).ended.text).toBe('Two.');
    expect(sent()).toMatch(/First.*Hello\..*Add milk.*Added\..*How many\?/);
    // The transcript keeps what happened.
    expect((await transcriptLines(code, id)).join('\n')).toContain('Add eggs');
  });

  it('that fails as the first of its session is not sent again either [code.session.failed-prompt]', async () => {
    const { id } = await code.newSession();
    const sent = () => JSON.stringify(code.standIn.conversations.at(-1)?.body.messages);
    const busy = code.standIn
      .script((request) => sessionOf(request) === id)
      .always(httpError(400, 'invalid_request_error', 'Not now.'));
    expect((await runTurn(code, id, 'Add eggs')).ended.outcome).toBe('failed');
    expect((await runTurn(code, id, 'Add milk')).ended.outcome).toBe('failed');
    busy.remove();
    // Looking at it does not change its transcript.
    await code.engine.rest(id);
    const before = await transcriptLines(code, id);
    await code.gateway.wake(person, id);
    expect(await transcriptLines(code, id)).toEqual(before);
    code.standIn.enqueue(reply('Added.'), reply('One.'));
    expect((await runTurn(code, id, 'Add milk')).ended.text).toBe('Added.');
    expect(sent()).not.toContain('Add eggs');
    expect(sent().match(/Add milk/g)).toHaveLength(1);
    expect((await runTurn(code, id, 'How many?')).ended.text).toBe('One.');
    expect(sent()).toMatch(/Add milk.*Added\..*How many\?/);
    expect((await transcriptLines(code, id)).join('\n')).toContain('Add eggs');
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

describe('what the program wrote and nobody has read', () => {
  it('makes the program wait, by its number and by its size', async () => {
    const frame = (raw: string): readonly EngineEvent[] => [{ type: 'frame', raw, means: [] }];
    const many = new TurnFeed();
    for (let count = 0; count < 511; count += 1) many.push(frame('{}'));
    expect(many.room()).toBeUndefined();
    many.push(frame('{}'));
    expect(many.room()).toBeDefined();

    const large = new TurnFeed();
    const reader = large[Symbol.asyncIterator]();
    large.push(frame('x'.repeat(5 * 1024 * 1024)));
    expect(large.room()).toBeUndefined();
    large.push(frame('x'.repeat(5 * 1024 * 1024)));
    expect(large.room()).toBeDefined();
    await reader.next();
    expect(large.room()).toBeUndefined();
  });
});
