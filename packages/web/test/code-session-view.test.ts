// What the page of a session makes of its socket: counting, greeting, permissions, queue, prompts on their way.
import type { ConnectedData } from '@parley/protocol';
import { describe, expect, it } from 'vitest';
import type { Frame } from '../src/code/model/read.ts';
import { emptyView, foldMessages, type SessionView } from '../src/code/model/session-view.ts';
import { mainThread, threadOf } from '../src/code/model/transcript.ts';
import { golden } from './code-frames.ts';

const turn = '7b0f7e5e-56a5-4a41-8f5c-6c1d9d0c5b1e';
const request = {
  request_id: 'p1',
  tool_name: 'Bash',
  tool_input: { command: 'touch a' },
  tool_use_id: 't1',
};

function connected(data: Partial<ConnectedData>): Frame {
  const greeting = {
    session: undefined as unknown as ConnectedData['session'],
    prompts: [],
    running: null,
    permissions: [],
    todos: [],
    model: 'opus',
    permission_mode: 'default',
    cached: 0,
    after: 100,
    reset: false,
    demo: true,
    ...data,
  };
  return { type: 'connected', data: greeting };
}

const prompt = (uuid: string, content: string): Frame => ({
  type: 'user',
  uuid,
  message: { role: 'user', content },
});
const queue = (texts: readonly string[], running: string | null = null): Frame => ({
  type: 'queue_update',
  data: { prompts: texts.map((text) => ({ turn_id: turn, text, images: 0, queued_at: 1 })), running },
});
const shown = (view: SessionView) => threadOf(view.transcript, mainThread).length;

describe('the page of a session', () => {
  it('counts what comes after the cached messages, and never an error', () => {
    const view = foldMessages(emptyView, [
      connected({ cached: 2, after: 40 }),
      prompt('a', 'one'),
      prompt('b', 'two'),
      prompt('c', 'three'),
      { type: 'error', error: 'Something is wrong.' },
      queue([]),
    ]);
    expect(view).toMatchObject({ after: 42, cachedLeft: 0 });
    expect(shown(view)).toBe(3);
  });

  it('goes on with what it has when it comes back in time', () => {
    const view = foldMessages(emptyView, [connected({ after: 7 }), prompt('a', 'one')]);
    const back = foldMessages(view, [connected({ after: 8 }), prompt('b', 'two')]);
    expect(back).toMatchObject({ after: 9, generation: 0 });
    expect(shown(back)).toBe(2);
  });

  it('begins anew when the server says so', () => {
    const view = foldMessages(emptyView, [connected({ after: 7 }), prompt('a', 'one')]);
    const back = foldMessages(view, [connected({ after: 90, reset: true, cached: 1 }), prompt('b', 'two')]);
    expect(back).toMatchObject({ after: 90, generation: 1 });
    expect(shown(back)).toBe(1);
  });

  it('keeps a permission open until it is settled, however that came about', () => {
    const asked = foldMessages(emptyView, [connected({}), { type: 'control_request', data: request }]);
    expect(asked.permissions).toEqual([request]);
    const settled = { request_id: 'p1', behavior: 'deny', reason: 'turn-ended' };
    const over = foldMessages(asked, [{ type: 'control_settled', data: settled }]);
    expect(over.permissions).toEqual([]);
    expect(over.settled.get('t1')).toEqual({ behavior: 'deny', reason: 'turn-ended' });
  });

  it('shows the permissions that were open before it came', () => {
    const view = foldMessages(emptyView, [connected({ permissions: [request] as never })]);
    expect(view.permissions).toEqual([request]);
  });

  it('drops a prompt on its way when it comes back as a message or in the queue', () => {
    const sent = ['one', 'two', 'three'].map((content, at) => ({
      key: String(at),
      content,
      hasFailed: false,
    }));
    const view = foldMessages({ ...emptyView, sent }, [
      connected({}),
      prompt('a', 'two'),
      queue(['three'], turn),
    ]);
    expect(view.sent.map(({ content }) => content)).toEqual(['one']);
    expect(view.running).toBe(turn);
  });

  it('knows a command again that comes back in the form of the program', () => {
    const sent = [{ key: '1', content: '/model opus', hasFailed: false }];
    const told =
      '<command-name>/model</command-name>\n<command-message>model</command-message>\n<command-args>opus</command-args>';
    expect(foldMessages({ ...emptyView, sent }, [prompt('a', told)]).sent).toEqual([]);
  });

  it('marks prompts on their way as failed when the server refuses', () => {
    const sent = [{ key: '1', content: 'one', hasFailed: false }];
    const view = foldMessages({ ...emptyView, sent }, [{ type: 'error', error: 'The queue is full.' }]);
    expect(view).toMatchObject({ problem: 'The queue is full.', sent: [{ hasFailed: true }] });
  });

  it('follows the model and the mode that the program reports', () => {
    const view = foldMessages(emptyView, [
      connected({ model: 'sonnet', permission_mode: 'plan' }),
      ...golden('tools').slice(0, 1),
    ]);
    expect(view).toMatchObject({ model: 'claude-opus-5-5', permissionMode: 'bypassPermissions' });
  });

  it('follows a choice that was made on another page, and one that was given up', () => {
    const opus = { value: 'opus', displayName: 'Opus', description: 'For hard tasks' };
    const update = (data: object): Frame => ({
      type: 'queue_update',
      data: { prompts: [], running: null, ...data },
    });
    const greeted = foldMessages(emptyView, [connected({ model: null }), ...golden('tools').slice(0, 1)]);
    expect(greeted.models).toBeUndefined();
    const told = foldMessages(greeted, [update({ models: [opus] }), update({ model: 'opus' })]);
    expect(told).toMatchObject({ models: [opus], model: 'opus', permissionMode: 'bypassPermissions' });
    const later = foldMessages(told, [update({ permission_mode: 'plan' }), update({ model: null })]);
    expect(later).toMatchObject({ models: [opus], model: 'claude-opus-5-5', permissionMode: 'plan' });
    expect(foldMessages(emptyView, [connected({ models: [opus] })]).models).toEqual([opus]);
  });
});
