// The real `claude` program with the demo model: what demo mode shows in the browser and in the bots.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AnthropicStandIn, startAnthropicStandIn } from '../../src/index.ts';
import { ClaudeProgram, type Frame } from './claude-program.ts';

describe('the claude program with the demo model', () => {
  let standIn: AnthropicStandIn;

  beforeAll(async () => {
    standIn = await startAnthropicStandIn();
  });
  afterAll(() => standIn.close());

  it('lists, reads, summarizes, searches and edits the files of the workspace', async () => {
    const files = { 'README.md': '# Orchard\nA draft about apples.', 'trees.txt': 'apple\npear' };
    await using claude = await ClaudeProgram.start(standIn.url, { files });
    expect((await claude.prompt('List the files')).result).toMatch(/README\.md[\s\S]*trees\.txt/);
    expect((await claude.prompt('Read trees.txt')).result).toContain('apple\npear');
    expect((await claude.prompt('Read nothing.txt')).result).toContain("I couldn't read nothing.txt");
    const summary = await claude.prompt('Summarize key files in the workspace');
    expect(toolNames(summary.frames)).toEqual(['Bash', 'Read', 'Read']);
    expect(summary.result).toMatch(/README\.md\*\* \(2 lines\): Orchard/);
    expect((await claude.prompt('Search for pear')).result).toContain('trees.txt');
    expect((await claude.prompt('Edit README.md: replace draft with story')).result).toContain(
      'now says “story”',
    );
    expect(await readFile(join(claude.workspace, 'README.md'), 'utf8')).toBe(
      '# Orchard\nA story about apples.',
    );
  });

  it('asks for permission to run a command and reports the result', async () => {
    await using claude = await ClaudeProgram.start(standIn.url);
    const echoed = await claude.prompt('Run echo good morning');
    expect(echoed.result).toContain('good morning');
    const touched = await claude.prompt('Run touch hello.txt');
    expect(touched.asked).toMatchObject([{ tool_name: 'Bash', input: { command: 'touch hello.txt' } }]);
    expect((await claude.prompt('Create a file notes.txt with dig, then sow')).result).toContain(
      'I wrote notes.txt',
    );
    expect(await readFile(join(claude.workspace, 'notes.txt'), 'utf8')).toBe('dig, then sow\n');
  });

  it('says what went wrong when a command fails or is denied', async () => {
    await using claude = await ClaudeProgram.start(standIn.url, {
      decide: ({ input }) =>
        String(input['command']).startsWith('mkdir')
          ? { behavior: 'deny', message: 'No new folders today' }
          : { behavior: 'allow', updatedInput: input },
    });
    expect((await claude.prompt('Run a failing command')).result).toMatch(
      /failed, as expected[\s\S]*No such file or directory/,
    );
    expect((await claude.prompt('Run mkdir cellar')).result).toContain('No new folders today');
    expect((await claude.prompt('Run rm -rf .')).result).toContain('only harmless commands');
  });

  it('asks a question and accepts the answer', async () => {
    await using claude = await ClaudeProgram.start(standIn.url, {
      decide: ({ input }) => ({
        behavior: 'allow',
        updatedInput: { ...input, answers: { 'Which color should the demo use?': 'Blue' } },
      }),
    });
    expect((await claude.prompt('Ask me a question')).result).toBe('Blue it is. Thank you!');
  });

  it('makes a plan and asks for approval, in and out of plan mode', async () => {
    for (const mode of ['plan', 'default']) {
      await using claude = await ClaudeProgram.start(standIn.url, { args: ['--permission-mode', mode] });
      const turn = await claude.prompt('Make a plan');
      const approval = turn.asked.find((permission) => permission.tool_name === 'ExitPlanMode');
      expect(approval?.input['plan']).toContain('Make the smallest change that helps.');
      expect(turn.result).toContain('The plan is approved');
    }
  });

  it("writes a todo list with the session's tools, or as text", async () => {
    await using modern = await ClaudeProgram.start(standIn.url);
    expect((await modern.prompt('Make a todo list')).result).toContain('Bake the bread');
    await using tasks = await ClaudeProgram.start(standIn.url, {
      args: ['--model', 'claude-sonnet-4-5-20250929'],
    });
    const turn = await tasks.prompt('Make a todo list');
    expect(toolNames(turn.frames)).toEqual([
      'ToolSearch',
      'TaskCreate',
      'TaskCreate',
      'TaskCreate',
      'ToolSearch',
      'TaskUpdate',
    ]);
    expect(turn.result).toContain('the first is done');
  });

  it('starts a subagent and passes on its report', async () => {
    await using claude = await ClaudeProgram.start(standIn.url, { files: { 'seeds.txt': 'basil' } });
    const sent = await claude.prompt('Delegate to a subagent');
    expect(sent.result).toContain('A subagent is working');
    const reported = await claude.untilResult();
    expect(reported.result).toMatch(/subagent reports[\s\S]*seeds\.txt/);
  });
});

function toolNames(frames: readonly Frame[]): readonly string[] {
  return frames.flatMap((frame) => {
    if (frame.type !== 'assistant') return [];
    const { content } = frame['message'] as { content: readonly { type: string; name?: string }[] };
    return content.flatMap((block) =>
      block.type === 'tool_use' && block.name !== undefined ? [block.name] : [],
    );
  });
}
