// What a person should know besides the answer reaches programs that use the notes endpoints. Only the model is a
// stand-in.
import type { StreamLine } from '@parley/protocol';
import { callTool, noFallback, reply, startAnthropicStandIn, withOptions } from '@parley/stand-ins';
import { describe, expect, it, onTestFinished } from 'vitest';
import { kitchen } from '../../../src/assistants/kitchen.ts';
import { systemClock } from '../../../src/domain/clock.ts';
import {
  createMessagesApiEngine,
  type MessagesApiOptions,
} from '../../../src/engines/messages-api/engine.ts';
import { openKitchen } from '../../assistants/recipe-vault-program.ts';
import { startDoor } from './door-harness.ts';

interface Notice {
  readonly code: string;
  readonly message: string;
}

describe('a notice', () => {
  it('is a field of the complete answer and a line of the stream: a cut answer [notes.chat.notices] [notes.stream.notice]', async () => {
    const { api, ask, stream } = await start();
    api.enqueue(withOptions(reply('Once upon'), { stopReason: 'max_tokens' }));
    expect(await ask('Tell a story')).toEqual({
      success: true,
      session_id: expect.any(String),
      response: 'Once upon',
      history: [
        { role: 'user', content: 'Tell a story' },
        { role: 'assistant', content: 'Once upon' },
      ],
      notices: [
        {
          code: 'reply-cut',
          message:
            'The answer reached its length limit and was cut off. Ask Claude to continue to get the rest.',
        },
      ],
    });
    api.enqueue(withOptions(reply('Once upon'), { stopReason: 'max_tokens' }));
    expect(await stream('Tell a story')).toEqual([
      { type: 'text', delta: 'Once upon' },
      {
        type: 'notice',
        code: 'reply-cut',
        message:
          'The answer reached its length limit and was cut off. Ask Claude to continue to get the rest.',
      },
      { type: 'session', session_id: expect.any(String) },
    ]);
  });

  it('is absent where there is nothing to know', async () => {
    const { api, ask } = await start();
    api.enqueue(reply('Hello.'));
    expect(Object.keys(await ask('Hi'))).toEqual(['success', 'session_id', 'response', 'history']);
  });

  it('says that the model declined [notes.chat.notices] [notes.stream.notice]', async () => {
    const { api, codes } = await start();
    api.enqueue().always(withOptions(reply(), { stopReason: 'refusal' }));
    expect(await codes('Something bad')).toEqual([['refused'], ['refused']]);
  });

  it('says that the turn has used up its tool calls [notes.chat.notices] [notes.stream.notice]', async () => {
    const { api, codes } = await start({ limits: { maxToolIterations: 1 } });
    const more = [reply(callTool('list_recipes')), reply('Enough.')];
    api.enqueue(...more, ...more);
    expect(await codes('List, and list again')).toEqual([['tool-limit'], ['tool-limit']]);
  });

  it('says that the oldest messages are no longer sent [notes.chat.notices] [notes.stream.notice]', async () => {
    const long = `What is this? ${'word '.repeat(8_000)}`;
    const { api, ask, stream } = await start({ limits: { contextTokens: 20_000, maxReplyTokens: 1_000 } });
    api.enqueue().always(reply('A long text.'));
    const { session_id } = await ask(long);
    const answer = await ask(`${long}?`, session_id);
    expect(answer.notices?.map(({ code }) => code)).toEqual(['history-trimmed']);
    const lines = await stream(`${long}??`, session_id);
    expect(lines.filter(({ type }) => type === 'notice')).toMatchObject([{ code: 'history-trimmed' }]);
  });

  it('says that a tool server has stopped [notes.chat.notices] [notes.stream.notice]', async () => {
    const { api, ask, codes, mcp } = await start({}, { limits: { firstPauseMs: 60_000 } });
    const look = [reply(callTool('list_recipes')), reply('That is all.')];
    api.enqueue(...look);
    await ask('What is there?');
    process.kill(mcp.status('recipes').pid ?? 0, 'SIGKILL');
    await mcp.until('recipes', 'failed');
    api.enqueue(...look, ...look);
    expect(await codes('And now?')).toEqual([['tool_server_unavailable'], ['tool_server_unavailable']]);
  });
});

async function start(
  options: Partial<MessagesApiOptions> = {},
  mcpOptions: Parameters<typeof openKitchen>[0] = {},
) {
  const { mcp, sources } = await openKitchen(mcpOptions);
  const api = await startAnthropicStandIn({ fallback: noFallback });
  onTestFinished(() => api.close());
  const door = await startDoor({
    answeredBy: createMessagesApiEngine({
      apiKey: 'sk-ant-any',
      baseUrl: api.url,
      model: 'claude-sonnet-5-5',
      assistants: new Map([['kitchen', kitchen]]),
      toolSources: sources,
      clock: systemClock,
      ...options,
    }),
    notes: { engine: 'messages-api', assistant: 'kitchen' },
    limits: { messageLength: 100_000, bodyBytes: 1_000_000 },
  });
  onTestFinished(() => door.stop());

  const ask = async (message: string, session_id?: string) => {
    const response = await door.post('/api/claude/chat', { message, session_id });
    return (await response.json()) as { session_id: string; notices?: readonly Notice[] };
  };
  const stream = async (message: string, session_id?: string) => {
    const response = await door.post('/api/claude/chat-stream', { message, session_id });
    const lines = (await response.text()).trimEnd().split('\n');
    return lines.map((line) => JSON.parse(line) as StreamLine);
  };
  /** The codes of the notices in the complete answer, and in the stream of a second one. */
  const codes = async (message: string) => {
    const { notices = [] } = await ask(message);
    const lines = await stream(message);
    return [
      notices.map(({ code }) => code),
      lines.flatMap((line) => (line.type === 'notice' ? [line.code] : [])),
    ];
  };
  return { api, mcp, ask, stream, codes };
}
