// The notice about an answer that is not saved yet, as each wire encodes it. Chats: see bots/telegram/delivery.test.ts.
import type { Envelope } from '@parley/protocol';
import { describe, expect, it } from 'vitest';
import { toSse } from '../../src/doors/http/kitchen/events.ts';
import { toStreamLine } from '../../src/doors/http/notes/lines.ts';
import { SeedEncoder } from '../../src/doors/websocket/seed-messages.ts';
import { notSaved } from '../../src/gateway/running-turn.ts';

const envelope: Envelope = { seq: 7, sessionId: 's', turnId: 't', at: 0, event: notSaved };
const message = expect.stringMatching(/^This answer is not saved yet/) as string;

describe('an answer that is not saved says so [notes.session.full-disk]', () => {
  it('in the NDJSON stream, whose lines are also the `notices` of a complete answer', () => {
    expect(toStreamLine(notSaved)).toEqual({ type: 'notice', code: 'not-saved', message });
  });

  it('in the kitchen stream', () => {
    expect(toSse(envelope)).toMatchObject({ event: 'notice', data: { message } });
  });

  it('on the WebSocket of a Claude Code session', () => {
    const encoder = new SeedEncoder({ running: 't', queue: [] }, new Set());
    const [sent] = encoder.encode(envelope);
    expect(JSON.parse(String(sent))).toEqual({ type: 'error', error: message, data: { seq: 7 } });
    const other = { ...envelope, event: { ...notSaved, code: 'retrying' } as Envelope['event'] };
    expect(encoder.encode(other)).toEqual([]);
  });
});
