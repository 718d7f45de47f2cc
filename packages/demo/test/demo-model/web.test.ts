// The demo model with web tools.
import { describe, expect, it } from 'vitest';
import { DemoConversation, type TestTool } from './demo-conversation.ts';

const text = { type: 'string' };
const results = [
  '1. Rye bread\n   http://web.invalid/rye\n   Four steps.',
  '2. Compost\n   http://web.invalid/compost\n   What goes in.',
].join('\n\n');
const tools: Record<string, TestTool> = {
  web_search: {
    properties: { query: text },
    run: () => `----- untrusted content 1 -----\n${results}\n----- end of untrusted content 1 -----`,
  },
  web_fetch: { properties: { url: text }, run: ({ url }) => `Title: The page\n\nThis is ${String(url)}.` },
};

describe('the demo model with the web', () => {
  it('reads the requested result', () => {
    const conversation = new DemoConversation(tools);
    expect(conversation.say('Search the web for rye bread').text).toContain(
      '[Rye bread](http://web.invalid/rye): Four steps.',
    );
    const { text: answer, calls } = conversation.say('Read the second result');
    expect(calls).toEqual([{ name: 'web_fetch', input: { url: 'http://web.invalid/compost' } }]);
    expect(answer).toContain('This is http://web.invalid/compost.');
    expect(conversation.say('Open the third link').text).toBe('The search had no third result.');
  });

  it('says what to do if nothing was searched for yet', () => {
    const { text: answer, calls } = new DemoConversation(tools).say('Read the first result');
    expect(calls).toEqual([]);
    expect(answer).toContain('Search for something first');
  });

  it('reads a URL', () => {
    const { calls } = new DemoConversation(tools).say('Read https://example.org, please');
    expect(calls).toEqual([{ name: 'web_fetch', input: { url: 'https://example.org' } }]);
  });
});
