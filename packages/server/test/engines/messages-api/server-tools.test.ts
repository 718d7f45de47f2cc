// Tools that the service runs itself: offered, shown and stored verbatim.
import { callTool, httpError, reply, say, searchWeb, withOptions } from '@parley/stand-ins';
import { describe, expect, it } from 'vitest';
import type { ToolSource } from '../../../src/domain/tool.ts';
import { createWebTools } from '../../../src/tools/web/source.ts';
import { Harness, ofType, streamedText, tool, types } from './harness.ts';

const found = { title: 'The Willowbrook mill race', url: 'https://willowbrook.example/mill-race' };

function start(web: ToolSource = createWebTools({ search: { service: 'anthropic' } })): Promise<Harness> {
  return Harness.start({ toolSources: new Map([['test', web]]) });
}

describe('web search by the service', () => {
  it('is offered next to our own tools, which carry the cache mark [notes.tools.web-search]', async () => {
    await using harness = await start();
    harness.api.enqueue(reply('Hello.'));

    await harness.prompt('Hi');

    expect(harness.api.conversations[0]?.body.tools).toEqual([
      { type: 'web_search_20250305', name: 'web_search', max_uses: 5 },
      expect.objectContaining({ name: 'web_fetch', cache_control: { type: 'ephemeral' } }),
    ]);
  });

  it('shows that it searches and with what outcome [notes.tools.web-search]', async () => {
    await using harness = await start();
    harness.api.enqueue(
      reply(say('Let me look.'), ...searchWeb('mill race', found), say('It is in September.')),
    );

    const events = await harness.prompt('When is the mill race?');

    expect(types(events)).not.toContain('failed');
    const [started] = ofType(events, 'tool.started');
    const [ended] = ofType(events, 'tool.ended');
    expect(started).toMatchObject({ tool: 'web_search', input: { query: 'mill race' } });
    expect(ended).toMatchObject({ tool: 'web_search', id: started?.id, outcome: 'finished' });
    expect(streamedText(events)).toBe('Let me look.It is in September.');
  });

  it('goes back to the model unchanged in later turns', async () => {
    await using harness = await start();
    harness.api.enqueue(reply(...searchWeb('mill race', found), 'In September.'), reply('At 14 o’clock.'));

    await harness.prompt('When is the mill race?');
    await harness.prompt('At what time?');

    const [, answer] = harness.api.conversations[1]?.body.messages ?? [];
    expect(answer?.content).toEqual(harness.history[1]?.content);
    expect(answer?.content).toEqual([
      expect.objectContaining({ type: 'server_tool_use', input: { query: 'mill race' } }),
      expect.objectContaining({
        type: 'web_search_tool_result',
        content: [expect.objectContaining({ ...found, encrypted_content: expect.any(String) })],
      }),
      { type: 'text', text: 'In September.' },
    ]);
  });

  it('continues when the service pauses between call and result, even in later turns', async () => {
    await using harness = await start();
    const [call, result] = searchWeb('mill race', found);
    if (call === undefined || result === undefined) throw new Error('expected two parts');
    harness.api.enqueue(
      withOptions(reply(call), { stopReason: 'pause_turn' }),
      reply(result, say('In September.')),
      reply('At 14 o’clock.'),
    );

    const first = await harness.prompt('When is the mill race?');
    const second = await harness.prompt('At what time?');

    expect(streamedText(first)).toBe('In September.');
    expect(types(first).filter((type) => type.startsWith('tool.'))).toEqual(['tool.started', 'tool.ended']);
    expect(streamedText(second)).toBe('At 14 o’clock.');
    expect(ofType(second, 'failed')).toEqual([]);
  });

  it('counts as text from strangers in later turns, too', async () => {
    const seen: (boolean | undefined)[] = [];
    const look = tool('look', (_, { hasReadOutside }) => {
      seen.push(hasReadOutside);
      return Promise.resolve({ content: 'seen' });
    });
    const web = createWebTools({ search: { service: 'anthropic' } });
    await using harness = await start({ ...web, tools: () => Promise.resolve([look]) });
    harness.api.enqueue(
      reply(callTool('look')),
      reply('Done.'),
      reply(...searchWeb('mill race', found), 'In September.'),
      reply(callTool('look')),
      reply('Done.'),
    );

    await harness.prompt('Look');
    await harness.prompt('Search');
    await harness.prompt('Look');

    expect(seen).toEqual([false, true]);
  });

  it('is no longer offered once the service refuses it', async () => {
    await using harness = await start();
    harness.api.enqueue(
      httpError(400, 'invalid_request_error', 'tools.0: web_search is not enabled for this organization'),
      reply('Hello.'),
      reply('Again.'),
    );

    const first = await harness.prompt('Hi');
    const second = await harness.prompt('Hi again');

    expect(streamedText(first)).toBe('Hello.');
    expect(ofType(first, 'notice')).toMatchObject([{ code: 'no-web-search' }]);
    expect(ofType(second, 'notice')).toEqual([]);
    expect(harness.api.conversations.map(({ body }) => body.tools?.map(({ name }) => name))).toEqual([
      ['web_search', 'web_fetch'],
      ['web_fetch'],
      ['web_fetch'],
    ]);
  });

  it('is replaced by our own tool with the same name', async () => {
    const ours = tool('web_search', () => Promise.resolve({ content: 'ours' }));
    const web = createWebTools({ search: { service: 'anthropic' } });
    await using harness = await start({ ...web, tools: () => Promise.resolve([ours]) });
    harness.api.enqueue(reply('Hello.'));

    await harness.prompt('Hi');

    expect(harness.api.conversations[0]?.body.tools).toEqual([
      expect.objectContaining({ description: 'The tool web_search.' }),
    ]);
  });
});
