// However broken a stream of the Messages API is: a model call returns the same message no matter how the bytes arrive,
// or reports a problem with the service.
import { Readable } from 'node:stream';
import type { TurnEvent } from '@parley/protocol';
import { fuzz } from '../../../fuzz/fuzz.ts';
import { randomChunks } from '../../../fuzz/random.ts';
import type { Used } from '../src/domain/spending.ts';
import { UsageTap } from '../src/engines/claude-code/relay/usage-tap.ts';
import { messagesApiLimits } from '../src/engines/messages-api/limits.ts';
import { saidSoFar } from '../src/engines/messages-api/message-fold.ts';
import { callModel } from '../src/engines/messages-api/model-call.ts';

const usage = { input_tokens: 10, output_tokens: 1, cache_read_input_tokens: 2 };
const delta = (fields: object, index = 0) => ({ type: 'content_block_delta', index, delta: fields });
const block = (fields: object, index = 0) => ({ type: 'content_block_start', index, content_block: fields });
const stop = { type: 'content_block_stop', index: 0 };
const streams: readonly (readonly object[])[] = [
  [{ type: 'message_start', message: { model: 'claude', usage } }, { type: 'ping' }],
  [
    block({ type: 'text', text: '' }),
    delta({ type: 'text_delta', text: 'hé ' }),
    delta({ type: 'text_delta', text: '🙂"' }),
    stop,
  ],
  [
    block({ type: 'thinking', thinking: '', signature: '' }, 1),
    delta({ type: 'thinking_delta', thinking: 'Hm' }, 1),
    delta({ type: 'signature_delta', signature: 'abc' }, 1),
    stop,
  ],
  [
    block({ type: 'tool_use', id: 'toolu_1', name: 'read', input: {} }, 2),
    delta({ type: 'input_json_delta', partial_json: '{"path":' }, 2),
    delta({ type: 'input_json_delta', partial_json: '"a"}' }, 2),
    stop,
  ],
  [block({ type: 'text', text: 'a' }), delta({ type: 'citations_delta', citation: { title: 'b' } }), stop],
  [{ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage }, { type: 'message_stop' }],
  [{ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }],
];
const seeds = streams.map((events) =>
  events.map((event) => `event: x\ndata: ${JSON.stringify(event)}\n\n`).join(''),
);

await fuzz({
  name: 'model-stream',
  seeds: [...seeds, seeds.join('')],
  words: [...seeds.join('').matchAll(/"\w+":?/g)]
    .map(([word]) => word)
    .concat('null', '[]', '{}', '-1', '1e999', '\n\ndata: {"type":"content_block_delta"}\n\n'),
  async check(input, random) {
    const whole = await outcomeOf([input]);
    const inPieces = await outcomeOf(randomChunks(input, random));
    if (whole !== inPieces) throw new Error(`in pieces ${inPieces} instead of ${whole}`);
  },
});

/** What is shown, stored and paid for, and what the relay would count. */
async function outcomeOf(chunks: readonly Buffer[]): Promise<string> {
  const paid: Used[] = [];
  const call = callModel({
    client: { open: async () => Readable.from(chunks) },
    request: { model: 'claude', max_tokens: 1, system: [], messages: [], stream: true },
    signal: new AbortController().signal,
    limits: { ...messagesApiLimits, maxAttempts: 1 },
    random: () => 0,
    reserve: async () => ({
      settle: async (used) => (paid.push(used), []),
      cancel: () => undefined,
    }),
    door: 'programs',
  });
  const shown: TurnEvent[] = [];
  let next = await call.next();
  for (; !next.done; next = await call.next()) shown.push(next.value);
  const { kind, message } = next.value;
  const problem = kind === 'failed' && next.value.problem.kind;
  const tap = new UsageTap('text/event-stream');
  for (const chunk of chunks) tap.push(chunk);
  return JSON.stringify([joined(shown), kind, problem, message, saidSoFar(message), paid, tap.used]);
}

/** Joins the texts, because text that arrives together is one event. */
function joined(events: readonly TurnEvent[]): string {
  return events.map((event) => ('text' in event ? event.text : JSON.stringify(event))).join('');
}
