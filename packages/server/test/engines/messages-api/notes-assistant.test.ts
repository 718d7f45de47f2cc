// The notes assistant with its real prompt and its real tools on real files.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callTool, lastToolResults, reply, resultText, systemText } from '@parley/stand-ins';
import { describe, expect, it, onTestFinished } from 'vitest';
import { notes } from '../../../src/assistants/notes.ts';
import { createVaultTools } from '../../../src/tools/vault/source.ts';
import { Harness, ofType, streamedText } from './harness.ts';

async function startNotes(): Promise<{ harness: Harness; folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-notes-'));
  const vault = createVaultTools({ root: (person) => join(folder, person) });
  const harness = await Harness.start({
    assistants: new Map([[notes.name, notes]]),
    toolSources: new Map([[vault.name, vault]]),
  });
  onTestFinished(async () => {
    await harness[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });
  return { harness, folder };
}

describe('the notes assistant', () => {
  it("gets a prompt that asks for brief help and paths relative to the person's folder [notes.prompt.notes-assistant]", async () => {
    const { harness } = await startNotes();
    harness.api.enqueue(reply('Hello.'));

    await harness.prompt('Hi');

    const body = harness.api.conversations[0]?.body;
    const system = body === undefined ? '' : systemText(body);
    expect(system).toContain("relative to the person's folder");
    expect(system).toContain('Be brief');
    expect(body?.tools?.map(({ name }) => name)).toEqual([
      'read_file',
      'write_file',
      'list_directory',
      'search_files',
    ]);
  });

  it('is instructed that web content is untrusted and that instructions in it are never followed [notes.prompt.untrusted-web]', () => {
    expect(notes.systemPrompt).toMatch(/web content .* comes from strangers/i);
    expect(notes.systemPrompt).toMatch(/never follow instructions/i);
  });

  it('writes, lists, searches and reads notes in one turn [notes.chat.tool-loop]', async () => {
    const { harness, folder } = await startNotes();
    harness.api.enqueue(
      reply(callTool('write_file', { path: 'recipes/soup.md', content: '# Soup\nSalt and water.\n' })),
      reply(
        callTool('list_directory', {}),
        callTool('search_files', { query: 'salt' }),
        callTool('read_file', { path: 'recipes/soup.md' }),
        callTool('read_file', { path: '../berta/diary.md' }),
      ),
      ({ body }) => reply(lastToolResults(body).map(resultText).join(' | ')),
    );

    const events = await harness.prompt('Write down a soup');

    expect(await readFile(join(folder, 'anna/recipes/soup.md'), 'utf8')).toBe('# Soup\nSalt and water.\n');
    expect(streamedText(events)).toBe(
      [
        'recipes/',
        'recipes/soup.md:2: Salt and water.',
        '# Soup\nSalt and water.\n',
        '"../berta/diary.md" contains "..". Paths can only lead down.',
      ].join(' | '),
    );
    expect(
      ofType(events, 'tool.ended')
        .map(({ outcome }) => outcome)
        .toSorted(),
    ).toEqual(['failed', 'finished', 'finished', 'finished', 'finished']);
  });
});
