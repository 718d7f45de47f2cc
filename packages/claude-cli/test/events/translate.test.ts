// From frames to events. Each golden file contains frames, most of them captured from the real program; the file next to
// it contains their events.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type ClaudeEvent,
  type Frame,
  initialTranslationState,
  parseFrame,
  type TranslationState,
  translate,
} from '../../src/index.ts';

const golden = join(import.meta.dirname, 'golden');
const names = readdirSync(golden)
  .filter((file) => file.endsWith('.jsonl'))
  .map((file) => file.slice(0, -'.jsonl'.length));

function translateLines(lines: readonly string[]): ClaudeEvent[] {
  let state = initialTranslationState;
  return lines.flatMap((line) => {
    const frame = parseFrame(Buffer.from(line));
    if (!frame) throw new Error(`no frame: ${line}`);
    const translation = translate(frame, state);
    state = translation.state;
    return translation.events;
  });
}

function linesOf(name: string): string[] {
  return readFileSync(join(golden, `${name}.jsonl`), 'utf8')
    .trimEnd()
    .split('\n');
}

const textOf = (events: readonly ClaudeEvent[]): string =>
  events.map((event) => (event.type === 'output' && event.channel === 'text' ? event.text : '')).join('');

describe('the translation of frames', () => {
  it.each(names)('turns the frames of %s into their events', async (name) => {
    const events = translateLines(linesOf(name));
    const written = `${events.map((event) => JSON.stringify(event)).join('\n')}\n`;
    await expect(written).toMatchFileSnapshot(join(golden, `${name}.events.txt`));
  });

  it('reports the start of a message as running, its text as output, its usage as metric and its end as stopped [driver.events.message-start] [driver.events.text] [driver.events.usage] [driver.events.message-stop]', () => {
    expect(translateLines(linesOf('bare'))).toEqual([
      { type: 'status_change', from: 'starting', to: 'running' },
      { type: 'output', channel: 'text', text: 'Hello', messageId: 'msg_123', parentToolUseId: undefined },
      { type: 'output', channel: 'text', text: '!', messageId: 'msg_123', parentToolUseId: undefined },
      {
        type: 'metric',
        scope: 'message',
        messageId: 'msg_123',
        inputTokens: 10,
        outputTokens: 2,
        cacheReadTokens: 0,
        cacheCreationTokens: 0,
      },
      { type: 'status_change', from: 'running', to: 'stopped', reason: 'message_stop' },
    ]);
  });

  it('understands bare stream events as well as wrapped ones [driver.stream.bare-and-wrapped]', () => {
    const wrapped = linesOf('bare').map((line) => `{"type":"stream_event","event":${line}}`);
    const isSaid = (event: ClaudeEvent): boolean => event.type === 'output' || event.type === 'metric';
    expect(translateLines(wrapped).filter(isSaid)).toEqual(translateLines(linesOf('bare')).filter(isSaid));
  });

  it('reports the same text whether it streams or arrives whole, and never twice', () => {
    expect(textOf(translateLines(linesOf('text')))).toBe('Hello there!');
    expect(textOf(translateLines(linesOf('text-whole')))).toBe('Hello there!In the project.');
  });

  it.each(['text', 'tools', 'two-turns'])(
    'counts the tokens of each message of %s once, as many as the program counts for its turns',
    (name) => {
      const metrics = translateLines(linesOf(name)).filter((event) => event.type === 'metric');
      const sum = (scope: string): number =>
        metrics
          .filter((metric) => metric.scope === scope)
          .reduce((total, metric) => total + metric.outputTokens, 0);
      expect(sum('message')).toBe(sum('turn'));
    },
  );

  it.each([
    [{ error: { type: 'overloaded_error', message: 'Overloaded' } }, 'Overloaded', 'overloaded_error'],
    [
      { error: { type: 'overloaded_error' } },
      'The model reported an error: overloaded_error.',
      'overloaded_error',
    ],
    [{ error: { message: '' } }, 'The model reported an error without a message.', undefined],
    [{ error: 'boom' }, 'boom', undefined],
    [{ error: null }, 'The model reported an error without a message.', undefined],
    [{ message: 'boom' }, 'boom', undefined],
    [{}, 'The model reported an error without a message.', undefined],
  ])(
    'reports what the error %j says, whether it ends the stream or not [driver.events.error]',
    (fields, message, errorType) => {
      const line = JSON.stringify({ type: 'error', ...fields });
      const [bare] = translateLines([line]);
      const [wrapped] = translateLines([`{"type":"stream_event","event":${line}}`]);
      expect(bare).toEqual({
        type: 'error',
        code: 'model_error',
        message,
        fatal: true,
        ...(errorType && { errorType }),
      });
      expect(wrapped).toEqual({ ...bare, fatal: false });
    },
  );

  it('names the error of an answer that has no text', () => {
    const answer = { role: 'assistant', content: [] };
    const [event] = translateLines([
      JSON.stringify({ type: 'assistant', error: 'rate_limit', message: answer }),
    ]);
    expect(event).toMatchObject({ code: 'api-error', text: 'The model reported an error: rate_limit.' });
  });

  const rejected = "The user doesn't want to proceed with this tool use. The tool use was rejected …";
  const noReason = 'The person declined without giving a reason.';
  const reject = { decision: 'reject', source: 'user_reject' };
  const meta = (fields: object) => ({ tool_result_meta: [{ id: 'other' }, { id: 'toolu_1', ...fields }] });
  const denied = (reason?: string) => ({ isDenied: true, isStopped: false, reason });
  const stopped = { isDenied: false, isStopped: true, reason: undefined };
  const failed = { isDenied: false, isStopped: false, reason: undefined };
  it.each([
    [
      'Not now',
      meta({ non_execution_kind: 'permission-rule', permission_decision: reject }),
      denied('Not now'),
    ],
    [noReason, meta({ non_execution_kind: 'permission-rule', permission_decision: reject }), denied()],
    [noReason, {}, denied()],
    ['Not now', { toolDenialKind: 'permission-rule', permissionDecision: reject }, denied('Not now')],
    ['Not now', { permissionDecision: reject }, denied('Not now')],
    ['Too risky.', { toolDenialKind: 'automode-blocked' }, denied('Too risky.')],
    [rejected, { toolDenialKind: 'user-rejected', permissionDecision: reject }, denied()],
    [
      rejected,
      meta({ non_execution_kind: 'user-rejected', user_feedback: 'Later', permission_decision: reject }),
      denied('Later'),
    ],
    [rejected, meta({ non_execution_kind: 'user-rejected' }), stopped],
    [rejected, { permissionDecision: { decision: 'reject', source: 'user_abort' } }, stopped],
    [rejected, {}, stopped],
    ['[Tool call interrupted]', { toolDenialKind: 'interrupted' }, stopped],
    ['[Request interrupted by user for tool use]\nhalf', {}, stopped],
    ['half\n[Request interrupted by user]\n', {}, stopped],
    ['Exit code 1', meta({ permission_decision: { decision: 'accept', source: 'config' } }), failed],
    ['Exit code 1', meta({ non_execution_kind: 'brand-new' }), failed],
    [[{ type: 'text', text: 'no' }], { tool_result_meta: 'odd', permissionDecision: 'odd' }, failed],
  ])('knows from %j and %j whether a call was refused or stopped', (content, fields, ending) => {
    const result = { type: 'tool_result', tool_use_id: 'toolu_1', is_error: true, content };
    const message = { role: 'user', content: [result] };
    const events = translateLines([JSON.stringify({ type: 'user', message, ...fields })]);
    expect(events.at(-1)).toMatchObject({ kind: 'tool_result', isError: true, ...ending });
  });

  it('does not call a call stopped that ran to its end, whatever it printed', () => {
    const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: '[Request interrupted by user]' };
    const message = { role: 'user', content: [result] };
    const events = translateLines([JSON.stringify({ type: 'user', message })]);
    expect(events.at(-1)).toMatchObject({ isError: false, ...failed });
  });

  it('does not change its state, and returns the same one for a delta', () => {
    const frozen = Object.freeze({ ...initialTranslationState });
    const delta = parseFrame(Buffer.from(linesOf('bare')[2] as string));
    if (!delta) throw new Error('no frame');
    expect(translate(delta, frozen).state).toBe(frozen);
  });

  it('counts for a turn what it added to the total of its conversation [driver.events.totals]', () => {
    const result = (total: number | undefined, session: string) =>
      parseFrame(
        Buffer.from(
          JSON.stringify({ type: 'result', subtype: 'success', total_cost_usd: total, session_id: session }),
        ),
      ) as Frame;
    let state: TranslationState = { ...initialTranslationState, totalCostUsd: 0.5 };
    const costs = [
      result(0.75, 'a'),
      // A crash loses the total; the next result has it again.
      result(0, 'a'),
      result(1, 'a'),
      // Cleared: a new conversation.
      result(0, 'b'),
      result(2, 'b'),
      result(undefined, 'b'),
    ].map((frame) => {
      const translation = translate(frame, state);
      state = translation.state;
      const [metric] = translation.events;
      return metric?.type === 'metric' && metric.scope === 'turn'
        ? [metric.costUsd, metric.totalCostUsd]
        : undefined;
    });
    expect(costs).toEqual([
      [0.25, 0.75],
      [0, 0.75],
      [0.25, 1],
      [0, 0],
      [2, 2],
      [0, 2],
    ]);
  });

  it('counts the first turn as nothing if earlier costs are unknown', () => {
    const frame = (total: number) =>
      parseFrame(Buffer.from(`{"type":"result","subtype":"success","total_cost_usd":${total}}`)) as Frame;
    const unknown = { ...initialTranslationState, totalCostUsd: Number.POSITIVE_INFINITY };
    const first = translate(frame(3), unknown);
    expect(first.events[0]).toMatchObject({ costUsd: 0, totalCostUsd: 3 });
    expect(translate(frame(4), first.state).events[0]).toMatchObject({ costUsd: 1, totalCostUsd: 4 });
    expect(translate(frame(0), unknown).events[0]).toMatchObject({ costUsd: 0, totalCostUsd: 0 });
  });
});
