import { describe, expect, it } from 'vitest';
import {
  type Frame,
  type FrameKind,
  FrameReader,
  type FrameWarning,
  parseFrame,
  streamEventOf,
} from '../../src/index.ts';

function frameOf(value: unknown): Frame {
  const frame = parseFrame(Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)));
  if (!frame) throw new Error('expected a frame');
  return frame;
}

const text = (content: string) => [{ type: 'text', text: content }];

describe('a frame', () => {
  it('keeps its bytes and its text unchanged [code.messages.raw-preserved]', () => {
    const line = Buffer.from('  {"type" : "brand-new", "n": 1.0, "n":1e2, "s":"\\u0041🙂\u2028" }\r');
    const frame = parseFrame(line);
    expect(frame?.bytes.equals(line)).toBe(true);
    expect(frame?.text).toBe(line.toString());
    expect(frame?.kind).toBe('unknown');
  });

  const cases: [unknown, FrameKind, boolean][] = [
    [{ type: 'user', message: { role: 'user', content: 'hello' } }, 'user', true],
    [{ type: 'user', message: { role: 'user', content: ' \n' } }, 'user', false],
    [{ type: 'user', isMeta: true, message: { role: 'user', content: 'caveat' } }, 'user', false],
    [
      { type: 'user', message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't' }] } },
      'user',
      true,
    ],
    [{ type: 'assistant', message: { role: 'assistant', content: text('hi') } }, 'assistant', true],
    [{ type: 'assistant', message: { role: 'assistant', content: text('') } }, 'assistant', false],
    [{ type: 'assistant', message: { role: 'assistant', content: [] } }, 'assistant', false],
    [
      { type: 'assistant', message: { role: 'assistant', content: [{ type: 'thinking', thinking: '' }] } },
      'assistant',
      false,
    ],
    [{ type: 'system', subtype: 'init', session_id: 's', cwd: '/', model: 'm' }, 'system_init', false],
    [{ type: 'system', subtype: 'status' }, 'system', false],
    [{ type: 'system', subtype: 'compact_boundary' }, 'system', true],
    [{ type: 'system', subtype: 'informational', content: 'note' }, 'system', true],
    [{ total_cost_usd: 1, nested: { type: 'user' }, subtype: 'success', type: 'result' }, 'result', true],
    [{ type: 'tool_progress', tool_use_id: 't' }, 'progress', false],
    [{ type: 'progress', data: {} }, 'progress', false],
    [{ type: 'summary', summary: 'About bread' }, 'summary', true],
    [{ type: 'summary', summary: '' }, 'summary', false],
    [{ type: 'custom-title', customTitle: 'Mine' }, 'custom_title', true],
    [{ type: 'ai-title', aiTitle: 'Theirs' }, 'ai_title', true],
    [{ type: 'tag', tag: '' }, 'tag', false],
    [{ type: 'agent-name', agentName: 'helper' }, 'agent_name', true],
    [{ type: 'queue-operation', operation: 'enqueue' }, 'queue_operation', false],
    [{ type: 'file-history-snapshot', snapshot: {} }, 'file_history_snapshot', false],
    [
      { type: 'stream_event', event: { type: 'content_block_delta', delta: { text: 'a' } } },
      'stream_event',
      true,
    ],
    [{ type: 'stream_event', event: { type: 'ping' } }, 'stream_event', false],
    [{ type: 'content_block_delta', delta: { type: 'text_delta', text: 'a' } }, 'bare_stream_event', true],
    [
      { type: 'control_request', request_id: '1', request: { subtype: 'can_use_tool' } },
      'control_request',
      true,
    ],
    [
      { type: 'control_response', response: { subtype: 'success', request_id: '1' } },
      'control_response',
      false,
    ],
    [{ type: 'control_cancel_request', request_id: '1' }, 'control_cancel_request', true],
    [{ type: 'from-the-future', anything: [] }, 'unknown', true],
    [{ no: 'type' }, 'unknown', true],
  ];
  it.each(cases)(
    '%j is of kind %s, useful: %s [code.messages.typed-views, code.messages.useful-content]',
    (value, kind, useful) => {
      const frame = frameOf(value);
      expect(frame.kind).toBe(kind);
      expect(frame.hasUsefulContent).toBe(useful);
    },
  );

  const misshapen = [
    { type: 'user' },
    { type: 'user', message: 'text' },
    { type: 'user', message: { role: 'user', content: [null] } },
    { type: 'user', message: { role: 'user', content: [{ type: 'text', text: 7 }] } },
    { type: 'assistant', message: { role: 'assistant', content: 'not blocks' } },
    { type: 'system', subtype: 'init' },
    { type: 'system', subtype: 3 },
    { type: 'result' },
    { type: 'stream_event', event: null },
    { type: 'stream_event', event: { type: 'content_block_delta', delta: { text: {} } } },
    { type: 'content_block_start', content_block: 'x' },
    { type: 'control_request', request_id: 1, request: { subtype: 'x' } },
    { type: 'control_response', response: null },
    { type: 'control_cancel_request' },
    { type: 'summary' },
    { type: 'custom-title', customTitle: null },
    { type: 'tag', tag: 1 },
  ];
  it.each(misshapen)('%j has a known type but the wrong shape, so it is unknown', (value) => {
    expect(frameOf(value).kind).toBe('unknown');
  });

  it('has its uuid and session id, as spelled on stdout and in transcripts', () => {
    expect(frameOf({ type: 'x', uuid: 'u', session_id: 's' })).toMatchObject({ uuid: 'u', sessionId: 's' });
    expect(frameOf({ type: 'x', sessionId: 's' })).toMatchObject({ uuid: undefined, sessionId: 's' });
    expect(frameOf({ type: 'x', uuid: 5, session_id: '' })).toMatchObject({
      uuid: undefined,
      sessionId: undefined,
    });
  });

  it('ignores a __proto__ key', () => {
    const frame = frameOf('{"__proto__":{"type":"user","isMeta":true},"constructor":{"prototype":{"x":1}}}');
    expect(frame.kind).toBe('unknown');
    expect((frame.body as Record<string, unknown>)['type']).toBeUndefined();
    expect(Object.getPrototypeOf(frame.body)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  it('returns the same stream event wrapped and bare [driver.stream.bare-and-wrapped]', () => {
    const event = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } };
    expect(streamEventOf(frameOf({ type: 'stream_event', event, session_id: 's' }))).toEqual(event);
    expect(streamEventOf(frameOf(event))).toEqual(event);
    expect(streamEventOf(frameOf({ type: 'result', subtype: 'success' }))).toBeUndefined();
  });

  it.each(['', '{', '[]', '1', 'null', '"text"', '{"a":1}{"b":2}', '\0\0\0', '{"a":tru}'])(
    'is not made from %j',
    (line) => {
      expect(parseFrame(Buffer.from(line))).toBeUndefined();
    },
  );
});

describe('the frame reader', () => {
  function read(stream: string, maxLineBytes?: number) {
    const frames: Frame[] = [];
    const warnings: FrameWarning[] = [];
    const reader = new FrameReader({
      onFrame: (frame) => frames.push(frame),
      onWarning: (warning) => warnings.push(warning),
      ...(maxLineBytes === undefined ? {} : { maxLineBytes }),
    });
    reader.push(Buffer.from(stream));
    reader.end();
    return { frames, warnings, counts: reader.counts };
  }

  it('skips, counts and reports an invalid line, and continues [driver.stream.invalid-json]', () => {
    const { frames, warnings, counts } = read('{"type":"a"}\nsecret text\n\n  \r\n{"type":"b"}\n');
    expect(frames.map((frame) => frame.body)).toEqual([{ type: 'a' }, { type: 'b' }]);
    expect(counts).toEqual({ frames: 2, invalid: 1, overlong: 0 });
    expect(warnings).toMatchObject([{ reason: 'invalid_json', size: 11, offset: 13 }]);
    expect(warnings[0]?.message).not.toContain('secret');
  });

  it('uses a last line without newline if it is complete, and reports it as torn if not [driver.stream.partial-line]', () => {
    expect(read('{"type":"a"}\n{"type":"b"}').frames).toHaveLength(2);
    const torn = read('{"type":"a"}\n{"type":"b');
    expect(torn.frames).toHaveLength(1);
    expect(torn.warnings).toMatchObject([{ reason: 'torn', size: 10 }]);
  });

  it('reports a line over the limit', () => {
    const { frames, warnings, counts } = read(`{"type":"${'x'.repeat(100)}"}\n{"type":"b"}\n`, 50);
    expect(frames).toHaveLength(1);
    expect(warnings).toMatchObject([{ reason: 'overlong', size: 111, offset: 0 }]);
    expect(counts).toEqual({ frames: 1, invalid: 0, overlong: 1 });
  });
});
