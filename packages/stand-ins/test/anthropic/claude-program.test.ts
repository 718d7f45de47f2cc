// The real `claude` program against the stand-in, with scripted replies.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type AnthropicStandIn,
  callTool,
  cut,
  httpError,
  lastToolResults,
  lastUserText,
  noFallback,
  overloaded,
  reply,
  resultText,
  say,
  sessionOf,
  startAnthropicStandIn,
  think,
} from '../../src/index.ts';
import { ClaudeProgram } from './claude-program.ts';

describe('the claude program against the stand-in', () => {
  let standIn: AnthropicStandIn;

  beforeEach(async () => {
    standIn = await startAnthropicStandIn({ fallback: noFallback });
  });
  afterEach(() => standIn.close());

  it('plays a turn with thinking, a tool call and its result, and another turn in the same process', async () => {
    standIn.enqueue(
      reply(
        think('A file, ', 'then.'),
        say('I write ', 'it.'),
        callTool('Bash', { command: 'touch made.txt', description: 'Make a file' }),
      ),
      (request) => reply(`The tool said: ${lastToolResults(request.body).map(resultText).join()}`),
      reply('Second turn.'),
    );
    await using claude = await ClaudeProgram.start(standIn.url);
    const first = await claude.prompt('Make a file please');
    expect(first).toMatchObject({ failed: false, result: expect.stringContaining('The tool said:') });
    expect(first.asked.map((permission) => permission.tool_name)).toEqual(['Bash']);
    expect(await readFile(join(claude.workspace, 'made.txt'), 'utf8')).toBe('');
    expect((await claude.prompt('And now?')).result).toBe('Second turn.');
    expect(standIn.conversations.map((request) => lastUserText(request.body))).toEqual([
      'Make a file please',
      'Make a file please',
      'And now?',
    ]);
  });

  it('streams partial messages, and usage that the program computes a cost from', async () => {
    standIn.enqueue(reply('One ', 'two ', 'three.'));
    await using claude = await ClaudeProgram.start(standIn.url, { args: ['--include-partial-messages'] });
    const turn = await claude.prompt('Count');
    const deltas = turn.frames.flatMap((frame) => {
      const event = frame['event'] as { delta?: { type: string; text?: string } } | undefined;
      return event?.delta?.type === 'text_delta' ? [event.delta.text] : [];
    });
    expect(deltas).toEqual(['One ', 'two ', 'three.']);
    expect(turn.cost).toBeGreaterThan(0);
  });

  it('reads the cached prefix in the second turn', async () => {
    standIn.enqueue(reply('One.'), reply('Two.'));
    await using claude = await ClaudeProgram.start(standIn.url);
    await claude.prompt('First');
    const { frames } = await claude.prompt('Second');
    const usage = frames.at(-1)?.['usage'] as { cache_read_input_tokens: number };
    expect(usage.cache_read_input_tokens).toBeGreaterThan(1_000);
  });

  it('keeps two sessions apart by their scripts', async () => {
    await using one = await ClaudeProgram.start(standIn.url, {
      args: ['--session-id', '11111111-1111-4111-8111-111111111111'],
    });
    await using two = await ClaudeProgram.start(standIn.url, {
      args: ['--session-id', '22222222-2222-4222-8222-222222222222'],
    });
    standIn.script((request) => sessionOf(request)?.startsWith('2') === true, reply('I am two.'));
    standIn.script((request) => sessionOf(request)?.startsWith('1') === true, reply('I am one.'));
    const [first, second] = await Promise.all([one.prompt('Who?'), two.prompt('Who?')]);
    expect([first.result, second.result]).toEqual(['I am one.', 'I am two.']);
  });

  it('retries after an overload and after a cut stream', async () => {
    standIn.enqueue(overloaded(0), reply(say('Half '), cut()), reply('Whole.'));
    await using claude = await ClaudeProgram.start(standIn.url);
    expect((await claude.prompt('Try')).result).toBe('Whole.');
  });

  it("passes on an error that a retry can't fix", async () => {
    // The program retries a 400 once in another form.
    standIn.enqueue().always(httpError(400, 'invalid_request_error', 'The moon is too full'));
    await using claude = await ClaudeProgram.start(standIn.url);
    expect(await claude.prompt('Try')).toMatchObject({
      failed: true,
      result: expect.stringContaining('The moon is too full'),
    });
  });

  it('answers a compaction without using the script', async () => {
    standIn.enqueue(reply('First.'), reply('Third.'));
    await using claude = await ClaudeProgram.start(standIn.url);
    await claude.prompt('Remember the apples');
    await claude.prompt('/compact');
    expect((await claude.prompt('Go on')).result).toBe('Third.');
    const kinds = standIn.requests
      .filter((request) => request.method === 'POST')
      .map((request) => request.kind);
    expect(kinds).toEqual(['conversation', 'auxiliary', 'conversation']);
  });
});
