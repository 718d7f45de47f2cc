// Every type of event and the line it becomes.
import { noUsage, type SessionEvent } from '@parley/protocol';
import { describe, expect, it } from 'vitest';
import { toStreamLine } from '../../../src/doors/http/notes/lines.ts';

const ended = { type: 'turn.ended', text: 'so far', usage: noUsage, durationMs: 1 } as const;

const lines: readonly (readonly [event: SessionEvent, line: string | undefined])[] = [
  [{ type: 'text.delta', text: 'a "quoted"\nline' }, '{"type":"text","delta":"a \\"quoted\\"\\nline"}'],
  [
    { type: 'tool.started', id: 't', tool: 'read_file', input: { path: 'notes.md' } },
    '{"type":"tool_use","name":"read_file","input":{"path":"notes.md"}}',
  ],
  [{ ...ended, outcome: 'completed' }, undefined],
  [
    { ...ended, outcome: 'failed', error: { code: 'unavailable', message: 'Out.', recoverable: true } },
    '{"type":"error","message":"Out."}',
  ],
  [
    { ...ended, outcome: 'failed' },
    '{"type":"error","message":"Something went wrong inside Parley. The server log has the details."}',
  ],
  [
    { ...ended, outcome: 'interrupted' },
    '{"type":"error","message":"The turn was interrupted before it was complete."}',
  ],
  [
    { type: 'queue.blocked', ahead: 2 },
    '{"type":"notice","code":"waiting","message":"Waiting for other sessions: 2 are ahead of you."}',
  ],
  [{ type: 'turn.started', prompt: [{ type: 'text', text: 'a' }], door: 'http' }, undefined],
  [{ type: 'thinking.delta', text: 'hm' }, undefined],
  [{ type: 'message', role: 'assistant', content: [{ type: 'text', text: 'a' }] }, undefined],
  [{ type: 'tool.progress', id: 't', tool: 'read_file', message: 'half' }, undefined],
  [{ type: 'tool.ended', id: 't', tool: 'read_file', outcome: 'failed' }, undefined],
  [
    { type: 'notice', code: 'trimmed', message: 'Older turns were left out.', tone: 'warn' },
    '{"type":"notice","code":"trimmed","message":"Older turns were left out."}',
  ],
  [{ type: 'usage', model: 'm', usage: noUsage }, undefined],
  [{ type: 'queue.changed', prompts: [] }, undefined],
];

describe('toStreamLine', () => {
  it.each(lines)('writes %j as %j', (event, line) => {
    expect(JSON.stringify(toStreamLine(event))).toBe(line);
  });
});
