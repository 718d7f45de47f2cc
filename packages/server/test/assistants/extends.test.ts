// Assistants in the configuration that add to others.
import { callTool, reply } from '@parley/stand-ins';
import { describe, expect, it, onTestFinished } from 'vitest';
import { assistantsOf } from '../../src/assistants/assistants.ts';
import { kitchen } from '../../src/assistants/kitchen.ts';
import { formatProblems } from '../../src/config/problem.ts';
import { builtInNames } from '../../src/config/sections/assistants.ts';
import type { ToolSource } from '../../src/domain/tool.ts';
import { configFolder } from '../config/config-folder.ts';
import { Harness, tool } from '../engines/messages-api/harness.ts';
import { fromNpm, McpHarness } from '../tools/mcp/harness.ts';

const load = (assistants: readonly object[]) =>
  configFolder().load({ file: { assistants, mcpServers: { cellar: { url: 'https://cellar.example' } } } });

describe('an assistant that extends another', () => {
  it('adds tools without repeating the prompt, even under the same name [kitchen.prompt.extends]', () => {
    const { config, problems } = load([
      { name: 'kitchen', extends: 'kitchen', tools: ['cellar'] },
      { name: 'bar', extends: 'kitchen', label: 'Bar', systemPrompt: 'Suggest a drink.', tools: ['web'] },
    ]);
    const assistants = assistantsOf(config.assistants);

    expect(problems).toEqual([]);
    expect(assistants.get('kitchen')).toEqual({ ...kitchen, tools: [...kitchen.tools, 'cellar'] });
    expect(assistants.get('bar')).toEqual({
      name: 'bar',
      label: 'Bar',
      systemPrompt: `${kitchen.systemPrompt}\n\nSuggest a drink.`,
      tools: [...kitchen.tools, 'cellar', 'web'],
      reminder: kitchen.reminder,
    });
  });

  it.each([
    ['another one that does not exist', [{ name: 'a', extends: 'kitchn' }], 'Choose from: notes, kitchen.'],
    [
      'a later one',
      [
        { name: 'a', extends: 'b' },
        { name: 'b', extends: 'notes' },
      ],
      'comes later in the list',
    ],
    [
      'nothing, without a prompt',
      [{ name: 'a', label: 'A' }],
      'expected a label and a systemPrompt, or extends',
    ],
    ['tools that do not exist', [{ name: 'a', extends: 'notes', tools: ['cellr'] }], 'Did you mean cellar?'],
  ])('is refused if it extends %s', (_, assistants, sentence) => {
    expect(formatProblems(load(assistants).problems)).toContain(sentence);
  });

  it('can extend exactly the built-in ones', () => {
    expect(builtInNames).toEqual([...assistantsOf([]).keys()]);
  });
});

describe('a tool that was renamed because of a clash', () => {
  it('has its new name in the prompt, the reminder and the descriptions [kitchen.mcp.renamed-in-prompt]', async () => {
    const everything = fromNpm('everything');
    const mcp = new McpHarness(
      [
        { name: 'one', connection: everything },
        { name: 'two', connection: everything },
      ],
      { usedTogether: [['one', 'two', 'own']], reservedNames: ['get-sum'] },
    );
    const own: ToolSource = {
      name: 'own',
      tools: async () => [
        { ...tool('get-sum', async () => ({ content: '' })), description: 'Use echo and echo-all first.' },
      ],
      close: async () => undefined,
    };
    const chat = await Harness.start({
      assistant: {
        systemPrompt: 'Call echo, then get-sum. Never call my-echo.',
        tools: ['one', 'two', 'own'],
        reminder: { fromMessage: 1, text: 'Remember echo.' },
      },
      toolSources: new Map([...mcp.tools.sources, own].map((source) => [source.name, source])),
    });
    onTestFinished(() => chat[Symbol.asyncDispose]());
    chat.api.enqueue(reply(callTool('one__echo', { message: 'Hello' })), reply('Done.'));
    await chat.prompt('Go');

    const { body } = chat.api.conversations[0] ?? {};
    expect(body?.system).toEqual([
      expect.objectContaining({ text: 'Call one__echo, then get-sum. Never call my-echo.' }),
    ]);
    expect(JSON.stringify(body?.messages)).toContain('Remember one__echo.');
    const described = body?.tools?.find(({ name }) => name === 'get-sum');
    expect(described).toMatchObject({ description: 'Use one__echo and echo-all first.' });
    expect(JSON.stringify(chat.history)).toContain('Echo: Hello');
  });
});
