// From frames to events: a whole turn of the real program as it was recorded, and the cases that it did not have.
import { readFile } from 'node:fs/promises';
import { type Frame, parseFrame } from '@parley/claude-cli';
import type { EngineEvent } from '@parley/protocol';
import { describe, expect, it } from 'vitest';
import { TurnFeed } from '../../../src/engines/claude-code/process/turn-feed.ts';
import { TurnTracker } from '../../../src/engines/claude-code/process/turn-tracker.ts';
import { initialEventState, toEvents } from '../../../src/engines/claude-code/translation/to-events.ts';

function frameOf(body: object): Frame {
  const frame = parseFrame(Buffer.from(JSON.stringify(body)));
  if (!frame) throw new Error('no frame');
  return frame;
}

function eventsOf(frames: readonly Frame[], spentUsd?: number): EngineEvent[] {
  let state = initialEventState(spentUsd);
  return frames.flatMap((frame) => {
    const told = toEvents(frame, state);
    state = told.state;
    return told.events;
  });
}

const withoutFrames = (events: readonly EngineEvent[]) => events.filter(({ type }) => type !== 'frame');
const assistant = (content: object[], more = {}) =>
  frameOf({ type: 'assistant', message: { id: 'msg_1', role: 'assistant', content }, ...more });
const toolUse = (id: string, name: string, input: object) =>
  assistant([{ type: 'tool_use', id, name, input }]);
const toolResult = (id: string, more = {}) =>
  frameOf({
    type: 'user',
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'ok' }] },
    ...more,
  });

describe('a recorded turn', () => {
  const recorded = new URL('golden/turn.jsonl', import.meta.url);

  it('becomes the events that are kept beside it', async () => {
    const lines = (await readFile(recorded, 'utf8')).trimEnd().split('\n');
    const events = eventsOf(lines.map((line) => frameOf(JSON.parse(line))));
    expect(events.filter(({ type }) => type === 'frame')).toEqual(
      lines.map((raw) => ({ type: 'frame', raw, means: [] })),
    );
    const told = withoutFrames(events).map((event) => JSON.stringify(event));
    await expect(`${told.join('\n')}\n`).toMatchFileSnapshot('golden/turn.events.jsonl');
  });
});

describe('frames of the program', () => {
  it('come first and as they were, whatever is in them', () => {
    const raw = '{"shiny":  "new\\u2028", "type":"brand_new_in_2027","n":1.50}';
    const frame = parseFrame(Buffer.from(raw)) as Frame;
    expect(toEvents(frame, initialEventState()).events).toEqual([{ type: 'frame', raw, means: [] }]);
  });

  it('tell a text that was not streamed, but not one that was', () => {
    const text = { type: 'text', text: 'Hello' };
    expect(withoutFrames(eventsOf([assistant([text])]))).toEqual([{ type: 'text.delta', text: 'Hello' }]);
    const stream = (event: object) => frameOf({ type: 'stream_event', event, parent_tool_use_id: null });
    const streamed = [
      stream({ type: 'message_start', message: { id: 'msg_1' } }),
      stream({ type: 'content_block_delta', delta: { type: 'text_delta', text: 'Hello' } }),
      assistant([text]),
      stream({ type: 'message_stop' }),
    ];
    expect(withoutFrames(eventsOf(streamed))).toEqual([
      { type: 'text.delta', text: 'Hello' },
      { type: 'message', role: 'assistant', content: [text] },
    ]);
  });

  it('of a subagent tell its tools, not its words', () => {
    const parent = { parent_tool_use_id: 'toolu_0' };
    const events = eventsOf([
      assistant(
        [
          { type: 'text', text: 'To myself' },
          { type: 'tool_use', id: 't', name: 'Read', input: {} },
        ],
        parent,
      ),
      toolResult('t', parent),
    ]);
    expect(withoutFrames(events).map(({ type }) => type)).toEqual(['tool.started', 'tool.ended']);
  });

  it('fold into the task list, by whichever tools there are, once a call has worked', () => {
    const todos = (frames: Frame[]) =>
      eventsOf(frames).flatMap((event) => (event.type === 'todos' ? [event.todos] : []));
    const list = [
      { content: 'Whisk', status: 'in_progress' },
      { content: 3 },
      { content: 'Bake', status: 'pending' },
    ];
    const written = [toolUse('a', 'TodoWrite', { todos: list }), toolResult('a')];
    expect(todos(written)).toEqual([
      [
        { text: 'Whisk', status: 'in_progress' },
        { text: 'Bake', status: 'pending' },
      ],
    ]);
    const failed = frameOf({
      type: 'user',
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', is_error: true }] },
    });
    expect(todos([toolUse('a', 'TodoWrite', { todos: list }), failed])).toEqual([]);
    const tasks = [
      toolUse('b', 'TaskCreate', { subject: 'Wash' }),
      toolResult('b', { tool_use_result: { task: { id: '1', subject: 'Wash' } } }),
      toolUse('c', 'TaskUpdate', { taskId: '1', status: 'completed' }),
      toolResult('c'),
      toolUse('d', 'TaskUpdate', { taskId: '1', status: 'deleted' }),
      toolResult('d'),
      toolUse('e', 'TaskUpdate', { taskId: '7', status: 'completed' }),
      toolResult('e'),
    ];
    expect(todos(tasks)).toEqual([
      [{ text: 'Wash', status: 'pending' }],
      [{ text: 'Wash', status: 'completed' }],
      [],
    ]);
  });

  it('tell the cost that a turn added, also where the program counts on from an earlier process', () => {
    const result = (total: number) =>
      frameOf({ type: 'result', subtype: 'success', total_cost_usd: total, usage: { output_tokens: 2 } });
    const costs = (events: EngineEvent[]) =>
      events.flatMap((event) => (event.type === 'usage' ? [event.usage.costUsd] : []));
    expect(costs(eventsOf([result(0.5), result(0.75)]))).toEqual([0.5, 0.25]);
    expect(costs(eventsOf([result(0.5), result(0.75)], 0.25))).toEqual([0.25, 0.25]);
    expect(costs(eventsOf([result(0.5), result(0.75)], Number.POSITIVE_INFINITY))).toEqual([0, 0.25]);
  });

  it('tell failures, progress and what a person should know in sentences', () => {
    const events = eventsOf([
      frameOf({ type: 'tool_progress', tool_use_id: 't', tool_name: 'Bash', elapsed_time_seconds: 12.4 }),
      frameOf({ type: 'system', subtype: 'compact_boundary' }),
      frameOf({ type: 'system', subtype: 'api_retry' }),
      frameOf({ type: 'rate_limit_event', rate_limit_info: { status: 'allowed_warning' } }),
      frameOf({ type: 'rate_limit_event', rate_limit_info: { status: 'rejected' } }),
      frameOf({ type: 'result', subtype: 'error_max_turns', is_error: true, errors: ['Too many turns.'] }),
    ]);
    expect(withoutFrames(events)).toMatchObject([
      { type: 'tool.progress', id: 't', tool: 'Bash', message: 'running for 12 s' },
      { type: 'notice', code: 'compacted' },
      { type: 'notice', code: 'retrying' },
      { type: 'notice', code: 'rate-limited' },
      { type: 'usage' },
      { type: 'failed', message: 'Too many turns.', recoverable: true },
    ]);
  });
});

describe('the end of a turn', () => {
  const result = frameOf({ type: 'result', subtype: 'success' });
  const replay = (uuid: string) =>
    frameOf({ type: 'user', uuid, isReplay: true, message: { role: 'user', content: 'x' } });
  const lifecycle = (uuid: string, state: string) =>
    frameOf({ type: 'command_lifecycle', command_uuid: uuid, state });
  const overAfter = (tracker: TurnTracker, frames: Frame[]) =>
    frames.map((frame) => tracker.isOverAfter(frame));

  it('is its result', () => {
    expect(overAfter(new TurnTracker(), [replay('a'), result])).toEqual([false, true]);
  });

  it('waits for a prompt that was added and is taken up after the result', () => {
    const tracker = new TurnTracker();
    tracker.expect('b');
    const frames = [lifecycle('b', 'queued'), result, lifecycle('b', 'started'), replay('b'), result];
    expect(overAfter(tracker, frames)).toEqual([false, false, false, false, true]);
  });

  it('does not wait for one that was taken up before it, or will never be', () => {
    const taken = new TurnTracker();
    taken.expect('b');
    expect(overAfter(taken, [replay('b'), result])).toEqual([false, true]);
    const dropped = new TurnTracker();
    dropped.expect('b');
    expect(overAfter(dropped, [result, lifecycle('b', 'cancelled')])).toEqual([false, true]);
    const forgotten = new TurnTracker();
    forgotten.expect('b');
    forgotten.forget('b');
    expect(overAfter(forgotten, [result])).toEqual([true]);
  });
});

describe('the feed of a turn', () => {
  it('holds back who fills it until it is read', async () => {
    const feed = new TurnFeed();
    const event: EngineEvent = { type: 'text.delta', text: 'x' };
    feed.push(Array.from({ length: 600 }, () => event));
    const room = feed.room();
    expect(room).toBeInstanceOf(Promise);
    const reading = (async () => {
      let count = 0;
      for await (const _ of feed) count += 1;
      return count;
    })();
    await room;
    expect(feed.room()).toBeUndefined();
    feed.push([event]);
    feed.end();
    // What comes before the reader has got to the end must not overtake what waits.
    expect(feed.push([event])).toBe(true);
    expect(await reading).toBe(602);
    expect(feed.push([event])).toBe(false);
  });
});
