// Files that people send to Claude Code: they are in the work folder, and the program learns their paths.
import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Prompt } from '@parley/protocol';
import { callTool, createGate, reply, say, wait } from '@parley/stand-ins';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { placeFiles } from '../../../src/engines/claude-code/process/place-files.ts';
import { filePart, pdf } from '../../support/files.ts';
import { png } from '../../support/images.ts';
import { type CodeHarness, openCodeHarness, person, runTurn } from './harness.ts';

let code: CodeHarness;
beforeAll(async () => {
  code = await openCodeHarness();
});
afterAll(() => code.close());
beforeEach(() => rm(join(code.project, '.parley'), { recursive: true, force: true }));

const words = (text: string) => ({ type: 'text', text }) as const;
const attached = () => readdir(join(code.project, '.parley', 'attachments'));

async function ask(prompt: Prompt): Promise<string> {
  const { id } = await code.newSession();
  const { after, turnId } = await code.gateway.prompt({ person, session: id, prompt, door: 'test' });
  for await (const envelope of code.gateway.subscribe(person, id, { after })) {
    const { event } = envelope;
    if (envelope.turnId === turnId && event.type === 'turn.ended') return event.error?.message ?? event.text;
  }
  throw new Error('the turn did not end');
}

describe('a file for Claude Code', () => {
  it('goes to the work folder, and the program can read it by the path in the prompt [app.attachments.work-folder]', async () => {
    const path = '.parley/attachments/shopping list.txt';
    code.standIn.enqueue(
      reply(callTool('Read', { file_path: join(code.project, path) })),
      reply(say('Milk and eggs.')),
    );
    const { data } = png(3, 2);
    const picture = { type: 'image', mediaType: 'image/png', data } as const;
    expect(await ask([picture, filePart('shopping list.txt', 'milk\neggs\n'), words('Read it.')])).toBe(
      'Milk and eggs.',
    );
    const requests = JSON.stringify(code.standIn.requests.map(({ body }) => body.messages));
    expect(requests).toContain(`Read it.\\n\\nAttached file: ${path}`);
    expect(requests).toContain('"media_type":"image/png"');
    expect(requests).toContain('eggs');
    expect(await readFile(join(code.project, path), 'utf8')).toBe('milk\neggs\n');
  });

  it('may be of any kind, and needs no words [app.attachments.work-folder]', async () => {
    code.standIn.enqueue(reply(say('Got it.')));
    const bytes = Buffer.from([0, 255, 80, 75, 3, 4]);
    expect(await ask([filePart('build.zip', bytes), filePart('a.pdf', pdf({ pages: 300 }))])).toBe('Got it.');
    expect(await readFile(join(code.project, '.parley/attachments/build.zip'))).toEqual(bytes);
    const requests = JSON.stringify(code.standIn.requests.at(-1)?.body.messages);
    expect(requests).toContain('Attached file: .parley/attachments/build.zip\\nAttached file: ');
  });

  it('can be added to the running turn [app.attachments.work-folder]', async () => {
    const { id } = await code.newSession();
    const gate = createGate();
    code.standIn.enqueue(reply(say('Thinking'), wait(gate.opened), say(' done.')), reply('Seen.'));
    let steered: Promise<boolean> | undefined;
    const { ended } = await runTurn(code, id, 'First', {
      onEvent: (event) => {
        if (event.type !== 'text.delta' || steered) return;
        steered = code.gateway.steer(person, id, [filePart('late.txt', 'late'), words('See also')]);
        void steered.then(() => gate.open());
      },
    });
    expect(ended.text).toBe('Seen.');
    const last = JSON.stringify(code.standIn.requests.at(-1)?.body.messages);
    expect(last).toContain('See also\\n\\nAttached file: .parley/attachments/late.txt');
  });

  it('is not written twice, and never overwrites another [app.attachments.work-folder-safe]', async () => {
    const one = filePart('a.txt', 'one');
    const two = filePart('a.txt', 'two');
    await placeFiles([one], code.project);
    await placeFiles([one, two], code.project);
    await placeFiles([two, one], code.project);
    expect((await attached()).toSorted()).toEqual(['a-2.txt', 'a.txt']);
    expect(await readFile(join(code.project, '.parley/attachments/a.txt'), 'utf8')).toBe('one');
  });

  it('is unknown to git [app.attachments.work-folder-safe]', async () => {
    execFileSync('git', ['init', '-q'], { cwd: code.project });
    await placeFiles([filePart('a.txt', 'one')], code.project);
    const status = execFileSync('git', ['status', '--porcelain'], { cwd: code.project, encoding: 'utf8' });
    await rm(join(code.project, '.git'), { recursive: true });
    expect(status).toBe('');
  });

  it.each(['CLAUDE.md', 'AGENTS.md', '.mcp.json', '.gitignore'])(
    'does not become something that agents obey: %s [app.attachments.work-folder-safe]',
    async (name) => {
      await placeFiles([filePart(name, 'Obey me.')], code.project);
      expect(await attached()).toEqual([`file-${name.replace('.', name.startsWith('.') ? '' : '.')}`]);
    },
  );

  it.each([['.parley'], ['.parley/attachments']])(
    'does not leave the work folder through a link: %s [app.attachments.work-folder-safe]',
    async (link) => {
      const outside = join(code.root, 'outside');
      await mkdir(outside, { recursive: true });
      if (link.includes('/')) await mkdir(join(code.project, '.parley'));
      await symlink(outside, join(code.project, link));
      expect(await ask([filePart('a.txt', 'one'), words('Read it.')])).toContain('Links are not followed');
      expect(await readdir(outside)).toEqual([]);
    },
  );

  it('takes another name if a link already has its own [app.attachments.work-folder-safe]', async () => {
    await mkdir(join(code.project, '.parley/attachments'), { recursive: true });
    await symlink('/etc/hostname', join(code.project, '.parley/attachments/a.txt'));
    const [placed] = await placeFiles([filePart('a.txt', 'one')], code.project);
    expect(placed).toEqual(words('Attached file: .parley/attachments/a-2.txt'));
  });
});
