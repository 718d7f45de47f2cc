// Frames as events with their meaning: a recorded turn of the real program, and cases that it does not cover.
import { readFile } from 'node:fs/promises';
import { type ClaudeEvent, type Frame, initialTranslationState, parseFrame } from '@parley/claude-cli';
import { type EngineEvent, type FrameEvent, type Meaning, meaningsOf } from '@parley/protocol';
import { describe, expect, it } from 'vitest';
import { TurnFeed } from '../../../src/engines/claude-code/process/turn-feed.ts';
import { TurnTracker } from '../../../src/engines/claude-code/process/turn-tracker.ts';
import { toFrameEvent, toPastEntries } from '../../../src/engines/claude-code/translation/frame-event.ts';

function frameOf(body: object): Frame {
  const frame = parseFrame(Buffer.from(JSON.stringify(body)));
  if (!frame) throw new Error('no frame');
  return frame;
}

function translated(frames: readonly Frame[]) {
  let state = initialTranslationState;
  return frames.map((frame) => {
    const one = toFrameEvent(frame, state);
    state = one.state;
    return one;
  });
}

const eventsOf = (frames: readonly Frame[]): FrameEvent[] => translated(frames).map(({ event }) => event);
const meaningOf = (frames: readonly Frame[]): Meaning[] => eventsOf(frames).flatMap(({ means }) => means);
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

describe('A recorded turn', () => {
  const recorded = new URL('golden/turn.jsonl', import.meta.url);

  it('becomes one event per frame, with the meanings stored next to it', async () => {
    const lines = (await readFile(recorded, 'utf8')).trimEnd().split('\n');
    const events = eventsOf(lines.map((line) => frameOf(JSON.parse(line))));
    expect(events.map(({ raw }) => raw)).toEqual(lines);
    const means = events.map((event) => JSON.stringify(event.means));
    await expect(`${means.join('\n')}\n`).toMatchFileSnapshot('golden/turn.means.jsonl');
  });
});

describe('A frame of the program', () => {
  it('passes unchanged, whatever it contains', () => {
    const raw = '{"shiny":  "new\\u2028", "type":"brand_new_in_2027","n":1.50}';
    const frame = parseFrame(Buffer.from(raw)) as Frame;
    expect(eventsOf([frame])).toEqual([
      { type: 'frame', raw, means: [{ type: 'unknown', name: 'brand_new_in_2027' }] },
    ]);
  });

  it('reports a text that was not streamed, but not one that was', () => {
    const text = { type: 'text', text: 'Hello' };
    const message = { type: 'message', role: 'assistant', content: [text], id: 'msg_1' };
    expect(meaningOf([assistant([text])])).toEqual([{ type: 'text.delta', text: 'Hello' }, message]);
    const stream = (event: object) => frameOf({ type: 'stream_event', event, parent_tool_use_id: null });
    const streamed = [
      stream({ type: 'message_start', message: { id: 'msg_1' } }),
      stream({ type: 'content_block_delta', delta: { type: 'text_delta', text: 'Hello' } }),
      assistant([text]),
      stream({ type: 'message_stop' }),
    ];
    expect(meaningOf(streamed)).toEqual([{ type: 'text.delta', text: 'Hello' }, message]);
  });

  it('shows the input of a tool while the model writes it', () => {
    const stream = (event: object) => frameOf({ type: 'stream_event', event, parent_tool_use_id: null });
    const block = { type: 'tool_use', id: 'toolu_1', name: 'Write', input: {} };
    const delta = (json: string) => ({ type: 'input_json_delta', partial_json: json });
    const frames = [
      stream({ type: 'message_start', message: { id: 'msg_1' } }),
      stream({ type: 'content_block_start', index: 1, content_block: block }),
      stream({ type: 'content_block_delta', index: 1, delta: delta('{"file') }),
      stream({ type: 'content_block_delta', index: 1, delta: delta('_path"') }),
    ];
    const call = { type: 'tool.delta', id: 'toolu_1', tool: 'Write' };
    expect(meaningOf(frames)).toEqual([
      { ...call, json: '' },
      { ...call, json: '{"file' },
      { ...call, json: '_path"' },
    ]);
  });

  it('from a subagent names the call that runs it, and shows people only its tools', () => {
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
    expect(events.map(({ subagent }) => subagent)).toEqual(['toolu_0', 'toolu_0']);
    expect(events[0]?.means.map(({ type }) => type)).toContain('message');
    expect(events.flatMap(meaningsOf).map(({ type }) => type)).toEqual(['tool.started', 'tool.ended']);
  });

  it('updates the task list once a call has succeeded, with either set of tools', () => {
    const todos = (frames: Frame[]) =>
      meaningOf(frames).flatMap((event) => (event.type === 'todos' ? [event.todos] : []));
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

  it('fails a turn with an error message', () => {
    const [{ failure } = { failure: undefined }] = translated([
      frameOf({ type: 'result', subtype: 'error_max_turns', is_error: true, errors: ['Too many turns.'] }),
    ]);
    expect(failure).toEqual({
      type: 'failed',
      code: 'unavailable',
      message: 'Too many turns.',
      recoverable: true,
    });
  });

  it('contains what a tool reports, without whole files', () => {
    const patch = [{ oldStart: 1, lines: ['-a', '+b'] }];
    const result = toolResult('t', {
      tool_use_result: { structuredPatch: patch, originalFile: 'x'.repeat(100_000) },
    });
    expect(meaningOf([toolUse('t', 'Edit', {}), result]).at(-1)).toEqual({
      type: 'tool.ended',
      id: 't',
      tool: 'Edit',
      outcome: 'finished',
      details: { structuredPatch: patch },
    });
  });
});

describe('A line of a transcript', () => {
  it('is the same event as its frame, with its time and without pieces', () => {
    const line = {
      type: 'assistant',
      uuid: 'a-uuid',
      timestamp: '2026-01-01T00:00:00.000Z',
      message: { id: 'msg_1', role: 'assistant', content: [{ type: 'text', text: 'Hello' }] },
    };
    expect(toPastEntries([frameOf(line)])).toEqual([
      {
        at: Date.UTC(2026, 0, 1),
        event: {
          type: 'frame',
          raw: JSON.stringify(line),
          uuid: 'a-uuid',
          means: [
            { type: 'message', role: 'assistant', content: [{ type: 'text', text: 'Hello' }], id: 'msg_1' },
          ],
        },
      },
    ]);
  });

  it('from a subagent belongs to the named call, or else to the last one', () => {
    const side = frameOf({ type: 'user', isSidechain: true, message: { role: 'user', content: 'Look' } });
    const threads = (frames: Frame[], subagent?: string) =>
      toPastEntries(frames, subagent).map(({ event }) => event.type === 'frame' && event.subagent);
    expect(threads([side], 'toolu_7')).toEqual(['toolu_7']);
    expect(threads([toolUse('toolu_8', 'Task', {}), side])).toEqual([undefined, 'toolu_8']);
    expect(threads([side])).toEqual(['sidechain']);
  });
});

describe('the end of a turn', () => {
  const result = frameOf({ type: 'result', subtype: 'success' });
  const replay = (uuid: string) =>
    frameOf({ type: 'user', uuid, isReplay: true, message: { role: 'user', content: 'x' } });
  const lifecycle = (uuid: string, state: string) =>
    frameOf({ type: 'command_lifecycle', command_uuid: uuid, state });
  const reported = (frame: Frame): readonly ClaudeEvent[] =>
    toFrameEvent(frame, initialTranslationState).reported;
  const overAfter = (tracker: TurnTracker, frames: Frame[]) =>
    frames.map((frame) => tracker.isOverAfter(reported(frame)));

  it('is its result', () => {
    expect(overAfter(new TurnTracker(), [replay('a'), result])).toEqual([false, true]);
  });

  it('waits for an added prompt that the program starts after the result', () => {
    const tracker = new TurnTracker();
    tracker.expect('b');
    const frames = [lifecycle('b', 'queued'), result, lifecycle('b', 'started'), replay('b'), result];
    expect(overAfter(tracker, frames)).toEqual([false, false, false, false, true]);
  });

  it('does not wait for an added prompt that was started before it or never will be', () => {
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
  it('makes its writer wait until it is read', async () => {
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
    // New items must not overtake those that still wait for the reader.
    expect(feed.push([event])).toBe(true);
    expect(await reading).toBe(602);
    expect(feed.push([event])).toBe(false);
  });
});
