import { describe, expect, it } from 'vitest';
import { maxKeptText } from '../../../src/content/kept-text.ts';
import {
  emptyMessage,
  foldMessage,
  type MessageState,
  type StreamEvent,
  saidSoFar,
} from '../../../src/engines/messages-api/message-fold.ts';
import { visibleEvents } from '../../../src/engines/messages-api/model-call.ts';

const start = (block: object): StreamEvent => ({
  type: 'content_block_start',
  index: 0,
  content_block: block,
});
const delta = (change: object): StreamEvent => ({ type: 'content_block_delta', index: 0, delta: change });
const stop: StreamEvent = { type: 'content_block_stop', index: 0 };
const fold = (...events: readonly StreamEvent[]): MessageState => events.reduce(foldMessage, emptyMessage);

describe('foldMessage', () => {
  it('joins text, with its citations', () => {
    const { blocks } = fold(
      start({ type: 'text', text: '' }),
      delta({ type: 'text_delta', text: 'Hel' }),
      delta({ type: 'text_delta', text: 'lo' }),
      delta({ type: 'citations_delta', citation: { type: 'page', page: 1 } }),
      stop,
    );

    expect(blocks).toEqual([{ type: 'text', text: 'Hello', citations: [{ type: 'page', page: 1 }] }]);
  });

  it('joins thinking and its signature', () => {
    const { blocks } = fold(
      start({ type: 'thinking', thinking: '', signature: '' }),
      delta({ type: 'thinking_delta', thinking: 'Hm.' }),
      delta({ type: 'signature_delta', signature: 'abc' }),
      stop,
    );

    expect(blocks).toEqual([{ type: 'thinking', thinking: 'Hm.', signature: 'abc' }]);
  });

  it.each([
    ['whole', ['{"path":', '"a.md"}'], { path: 'a.md' }, []],
    ['empty', [''], {}, []],
    ['cut off', ['{"path":"a.'], {}, ['toolu_1']],
    ['no object', ['[1]'], {}, ['toolu_1']],
  ])('reads an input that is %s', (_, pieces, input, broken) => {
    const { blocks, brokenCalls } = fold(
      start({ type: 'tool_use', id: 'toolu_1', name: 'read', input: {} }),
      ...pieces.map((partial_json) => delta({ type: 'input_json_delta', partial_json })),
      stop,
    );

    expect(blocks).toEqual([{ type: 'tool_use', id: 'toolu_1', name: 'read', input }]);
    expect(brokenCalls).toEqual(broken);
  });

  it('keeps a message only up to a limit', () => {
    const long = 'x'.repeat(maxKeptText);
    const { blocks } = fold(
      start({ type: 'text', text: '' }),
      delta({ type: 'text_delta', text: 'Hello' }),
      delta({ type: 'text_delta', text: long }),
      delta({ type: 'text_delta', text: 'the end' }),
      delta({ type: 'citations_delta', citation: { type: 'page', page: 1 } }),
      stop,
      start({ type: 'text', text: '' }),
      delta({ type: 'text_delta', text: long }),
      stop,
    );

    expect(blocks).toHaveLength(1);
    expect(String(blocks[0]?.['text'])).toMatch(/^Hellox+$/);
    expect(JSON.stringify(blocks).length).toBeLessThan(maxKeptText + 100);
  });

  it('leaves out thinking that does not fit, and does not run a call whose input does not', () => {
    const long = 'x'.repeat(maxKeptText);
    const thinking = fold(
      start({ type: 'thinking', thinking: '', signature: '' }),
      delta({ type: 'thinking_delta', thinking: long }),
      delta({ type: 'signature_delta', signature: 'abc' }),
      stop,
    );
    expect(thinking.blocks).toEqual([]);
    const call = fold(
      start({ type: 'tool_use', id: 'toolu_1', name: 'write', input: {} }),
      delta({ type: 'input_json_delta', partial_json: `{"text":"${long}"}` }),
      stop,
    );
    expect(call).toMatchObject({ blocks: [{ input: {} }], brokenCalls: ['toolu_1'] });
  });

  it('keeps unknown blocks as they are', () => {
    const block = { type: 'redacted_thinking', data: 'xyz' };

    expect(fold(start(block), delta({ type: 'new_delta', x: 1 }), stop).blocks).toEqual([block]);
  });

  it('ignores unknown events and deltas without a block', () => {
    expect(fold({ type: 'new_event' }, delta({ type: 'text_delta', text: 'x' }), stop)).toEqual(emptyMessage);
  });

  it('uses the last report of tokens and stop reason', () => {
    const state = fold(
      {
        type: 'message_start',
        message: { model: 'm', usage: { input_tokens: 7, output_tokens: 1, cache_read_input_tokens: 3 } },
      },
      {
        type: 'message_delta',
        delta: { stop_reason: 'end_turn' },
        usage: { output_tokens: 9, input_tokens: null },
      },
      { type: 'message_stop' },
    );

    expect(state).toMatchObject({
      model: 'm',
      stopReason: 'end_turn',
      isComplete: true,
      tokens: { input: 7, output: 9, cacheRead: 3, cacheWrite: 0 },
    });
  });
});

describe('saidSoFar', () => {
  it('returns the texts of an unfinished message without calls, thinking and blanks', () => {
    const state = fold(
      start({ type: 'thinking', thinking: 'Hm.', signature: '' }),
      stop,
      start({ type: 'text', text: ' \n' }),
      stop,
      start({ type: 'tool_use', id: '1', name: 'read', input: {} }),
      stop,
      start({ type: 'text', text: '' }),
      delta({ type: 'text_delta', text: 'Half a sen' }),
    );

    expect(saidSoFar(state)).toEqual([{ type: 'text', text: 'Half a sen' }]);
  });
});

describe('visibleEvents', () => {
  it('joins deltas of one kind that arrived together', () => {
    expect(
      visibleEvents([
        delta({ type: 'thinking_delta', thinking: 'H' }),
        delta({ type: 'thinking_delta', thinking: 'm' }),
        delta({ type: 'signature_delta', signature: 'abc' }),
        stop,
        delta({ type: 'text_delta', text: 'Hel' }),
        delta({ type: 'text_delta', text: '' }),
        delta({ type: 'text_delta', text: 'lo' }),
        delta({ type: 'input_json_delta', partial_json: '{}' }),
      ]),
    ).toEqual([
      { type: 'thinking.delta', text: 'Hm' },
      { type: 'text.delta', text: 'Hello' },
    ]);
  });
});
