import { randomUUID } from 'node:crypto';
import { appendFile, open, rm, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  type IndexCache,
  MemoryIndexCache,
  projectFolderName,
  type SessionEntry,
  SessionIndex,
  type SessionIndexOptions,
  type SessionRecord,
} from '../../src/index.ts';
import {
  assistantLine,
  line,
  snapshotLine,
  temporaryFolder,
  titleLine,
  userLine,
  writeTranscript,
} from './sample-lines.ts';

function indexOver(root: string, options: Partial<SessionIndexOptions> = {}): SessionIndex {
  const index = new SessionIndex({ root, ...options });
  onTestFinished(() => index.close());
  return index;
}

async function pages(index: SessionIndex, limit: number): Promise<SessionEntry[]> {
  const all: SessionEntry[] = [];
  let cursor: string | undefined;
  do {
    const page = await index.list({ limit, cursor });
    expect(page.sessions.length).toBeLessThanOrEqual(limit);
    all.push(...page.sessions);
    cursor = page.next;
  } while (cursor !== undefined);
  return all;
}

const titles = (entries: readonly SessionEntry[]) => entries.map((entry) => entry.title);

/** A cache that records its calls. */
class WatchedCache extends MemoryIndexCache {
  readonly saved: string[] = [];
  readonly removed: string[] = [];

  override save(records: readonly SessionRecord[]): Promise<void> {
    this.saved.push(...records.map((record) => record.file));
    return super.save(records);
  }

  override remove(files: readonly string[]): Promise<void> {
    this.removed.push(...files);
    return super.remove(files);
  }
}

describe('the session index', () => {
  it('lists sessions newest first with what a list shows [code.index.first-prompt]', async () => {
    const root = await temporaryFolder();
    const id = randomUUID();
    await writeTranscript(root, [userLine('older')], { minutesAgo: 9 });
    const file = await writeTranscript(
      root,
      [
        line('queue-operation', {
          operation: 'enqueue',
          timestamp: '2026-01-01T00:00:00.000Z',
          sessionId: id,
        }),
        userLine('How long does\n  dough rest?', {
          uuid: 'first',
          cwd: '/home/ada/bakery',
          gitBranch: 'main',
        }),
        assistantLine('An hour.', { gitBranch: 'feature/rye' }),
        line('last-prompt', { lastPrompt: 'And rye?' }),
        line('tag', { tag: 'bread' }),
        line('cost-state', { totalCostUSD: 0.25 }),
      ],
      { id, minutesAgo: 1 },
    );
    const { sessions, next } = await indexOver(root).list();
    expect(next).toBeUndefined();
    expect(titles(sessions)).toEqual(['How long does dough rest?', 'older']);
    expect(sessions[0]).toMatchObject({
      sessionId: id,
      file,
      project: '-home-ada-bakery',
      cwd: '/home/ada/bakery',
      gitBranch: 'feature/rye',
      createdAt: new Date('2026-01-01T00:00:00.000Z'),
      firstPrompt: 'How long does dough rest?',
      lastPrompt: 'And rye?',
      firstUserMessageUuid: 'first',
      titleSource: 'prompt',
      tag: 'bread',
      costUsd: 0.25,
      archived: false,
    });
  });

  it('titles a session by custom, then generated title, then summary, then first prompt', async () => {
    const root = await temporaryFolder();
    const custom = line('custom-title', { customTitle: 'Custom' });
    const generated = line('ai-title', { aiTitle: 'Generated' });
    const summary = line('summary', { summary: 'Summary', leafUuid: 'x' });
    await writeTranscript(root, [custom, generated, summary, userLine('a')], { minutesAgo: 1 });
    await writeTranscript(root, [userLine('b'), generated, summary], { minutesAgo: 2 });
    await writeTranscript(root, [summary, userLine('c')], { minutesAgo: 3 });
    await writeTranscript(root, [userLine('d')], { minutesAgo: 4 });
    await writeTranscript(root, [userLine('e'), titleLine('Old'), titleLine('New')], { minutesAgo: 5 });
    const { sessions } = await indexOver(root).list();
    expect(titles(sessions)).toEqual(['Custom', 'Generated', 'Summary', 'd', 'New']);
    expect(sessions.map((entry) => entry.titleSource)).toEqual([
      'custom',
      'generated',
      'summary',
      'prompt',
      'custom',
    ]);
  });

  it('does not mistake meta lines, sidechains, tool results and command echoes for prompts', async () => {
    const root = await temporaryFolder();
    await writeTranscript(root, [
      userLine('Caveat', { isMeta: true }),
      userLine('<command-name>/model</command-name>\n<command-message>model</command-message>'),
      userLine('<local-command-stdout>Set model</local-command-stdout>'),
      userLine([{ type: 'tool_result', tool_use_id: 't', content: 'out' }]),
      userLine('of a subagent', { isSidechain: true }),
      userLine('[Request interrupted by user]'),
      userLine([
        { type: 'text', text: '<system-reminder>x</system-reminder>' },
        { type: 'text', text: 'the real one' },
      ]),
    ]);
    await writeTranscript(root, [userLine('<command-name>/compact</command-name>')], { minutesAgo: 1 });
    const withArguments = '<command-name>/model</command-name>\n<command-args>opus</command-args>';
    await writeTranscript(root, [userLine(withArguments)], { minutesAgo: 2 });
    const { sessions } = await indexOver(root).list();
    expect(titles(sessions)).toEqual(['the real one', '/compact', '/model opus']);
  });

  it('leaves out files that are not sessions: subagents, empty ones, ones without messages, other names', async () => {
    const root = await temporaryFolder();
    await writeTranscript(root, [userLine('of a subagent', { isSidechain: true })]);
    await writeTranscript(root, []);
    await writeTranscript(root, [line('mode', { mode: 'normal' })]);
    await writeTranscript(root, [userLine('agent')], { id: 'agent-a1b2c3' });
    await writeTranscript(root, [userLine('shown')]);
    await writeFile(join(root, 'stray.jsonl'), 'x');
    expect(titles((await indexOver(root).list()).sessions)).toEqual(['shown']);
  });

  it('finds the first prompt after long snapshots, and titles at both ends of a long file', async () => {
    const root = await temporaryFolder();
    const filler = Array.from({ length: 300 }, (_, i) => assistantLine(`answer ${i} ${'y'.repeat(1500)}`));
    await writeTranscript(root, [snapshotLine(130_000), userLine('late start'), ...filler], {
      minutesAgo: 1,
    });
    await writeTranscript(root, [titleLine('At the head'), userLine('x'), ...filler], { minutesAgo: 2 });
    await writeTranscript(root, [titleLine('No more'), userLine('x'), ...filler, titleLine('At the end')], {
      minutesAgo: 3,
    });
    expect(titles((await indexOver(root).list()).sessions)).toEqual([
      'late start',
      'At the head',
      'At the end',
    ]);
  });

  it('collapses sessions that share their first message, newest first, unless asked not to [code.index.dedupe]', async () => {
    const root = await temporaryFolder();
    const shared = userLine('shared', { uuid: 'same' });
    await writeTranscript(root, [shared, titleLine('Copy')], { minutesAgo: 1 });
    await writeTranscript(root, [userLine('other')], { minutesAgo: 2 });
    await writeTranscript(root, [shared, titleLine('Original')], { minutesAgo: 3 });
    const index = indexOver(root);
    expect(titles(await pages(index, 1))).toEqual(['Copy', 'other']);
    expect(titles((await index.list({ includeRelated: true })).sessions)).toEqual([
      'Copy',
      'other',
      'Original',
    ]);
    const { sessions } = await index.list({ includeRelated: true });
    const idOf = (title: string) => sessions.find((entry) => entry.title === title)?.sessionId;
    const apart = await index.list({ isAlwaysListed: (id) => id === idOf('Original') });
    expect(titles(apart.sessions)).toEqual(['Copy', 'other', 'Original']);
    // A session that is not accepted does not hide another.
    const accepted = await index.list({ accept: (id) => id !== idOf('Copy') });
    expect(titles(accepted.sessions)).toEqual(['other', 'Original']);
  });

  it('pages through all sessions once with any page size, even if times are equal', async () => {
    const root = await temporaryFolder();
    for (let i = 0; i < 23; i += 1) {
      await writeTranscript(root, [userLine(`session ${i}`)], {
        minutesAgo: 1 + Math.floor(i / 4),
        project: `-p${i % 3}`,
      });
    }
    const index = indexOver(root);
    const all = titles((await index.list({ limit: 100 })).sessions);
    expect(new Set(all).size).toBe(23);
    for (const limit of [1, 4, 5, 22, 23]) expect(titles(await pages(index, limit))).toEqual(all);
  });

  it('keeps pages correct while files appear, grow and disappear between them [code.index.pages]', async () => {
    const root = await temporaryFolder();
    const files: string[] = [];
    for (let i = 0; i < 10; i += 1)
      files.push(await writeTranscript(root, [userLine(`s${i}`)], { minutesAgo: 10 + i }));
    const index = indexOver(root);
    const first = await index.list({ limit: 4 });
    expect(titles(first.sessions)).toEqual(['s0', 's1', 's2', 's3']);
    await writeTranscript(root, [userLine('new')]);
    await appendFile(files[2] ?? '', `${assistantLine('more')}\n`);
    await rm(files[5] ?? '');
    await index.refresh();
    const second = await index.list({ limit: 4, cursor: first.next });
    expect(titles(second.sessions)).toEqual(['s4', 's6', 's7', 's8']);
    const last = await index.list({ limit: 4, cursor: second.next });
    expect(titles(last.sessions)).toEqual(['s9']);
    expect(titles((await index.list({ limit: 3 })).sessions)).toContain('new');
  });

  it('rejects an invalid cursor', async () => {
    const index = indexOver(await temporaryFolder());
    await expect(index.list({ cursor: 'nonsense' })).rejects.toThrow(TypeError);
    await expect(index.list({ cursor: '' })).rejects.toThrow(TypeError);
  });

  it('filters by project and searches titles and prompts by words', async () => {
    const root = await temporaryFolder();
    const project = projectFolderName('/home/ada/kitchen');
    await writeTranscript(
      root,
      [userLine('Bake BREAD with rye'), line('last-prompt', { lastPrompt: 'Über Nacht' })],
      { project },
    );
    await writeTranscript(root, [userLine('Bake a cake'), titleLine('Torte')], { minutesAgo: 1 });
    const index = indexOver(root);
    const find = async (search: string) => titles((await index.list({ search })).sessions);
    expect(titles((await index.list({ project })).sessions)).toEqual(['Bake BREAD with rye']);
    expect(await find('rye bread')).toEqual(['Bake BREAD with rye']);
    expect(await find('über')).toEqual(['Bake BREAD with rye']);
    expect(await find('bake')).toEqual(['Bake BREAD with rye', 'Torte']);
    expect(await find('bake nothing')).toEqual([]);
  });

  it('reads only the sessions of the requested page, and after a restart only what changed [code.index.lazy, code.index.kept-cache]', async () => {
    const root = await temporaryFolder();
    const files: string[] = [];
    for (let i = 0; i < 10; i += 1)
      files.push(await writeTranscript(root, [userLine(`s${i}`)], { minutesAgo: 10 + i }));
    const cache = new WatchedCache();
    const first = indexOver(root, { cache });
    await first.list({ limit: 3 });
    await first.close();
    expect(cache.saved).toEqual(files.slice(0, 4));
    const all = indexOver(root, { cache });
    await all.list();
    await all.close();
    expect(cache.saved).toEqual(files);

    cache.saved.length = 0;
    await appendFile(files[7] ?? '', `${titleLine('Changed')}\n`);
    await rm(files[8] ?? '');
    const restarted = indexOver(root, { cache });
    expect(titles((await restarted.list()).sessions)).toEqual([
      'Changed',
      's0',
      's1',
      's2',
      's3',
      's4',
      's5',
      's6',
      's9',
    ]);
    await restarted.close();
    expect(cache.saved).toEqual([files[7]]);
    expect(cache.removed).toEqual([files[8]]);
  });

  it('reads only appended bytes of a file that grew', async () => {
    const root = await temporaryFolder();
    const file = await writeTranscript(root, [userLine('first prompt'), assistantLine('x'.repeat(50_000))]);
    const index = indexOver(root);
    await index.list();
    const second = userLine('second');
    await appendFile(file, second.slice(0, 30));
    await index.refresh();
    // Blank what was read before: reading it again would lose the prompt.
    const handle = await open(file, 'r+');
    await handle.write(Buffer.alloc(1000, 0x20), 0, 1000, 0);
    await handle.close();
    await appendFile(file, `${second.slice(30)}\n${titleLine('Titled')}\n`);
    await index.refresh();
    expect((await index.list()).sessions[0]).toMatchObject({ title: 'Titled', firstPrompt: 'first prompt' });
  });

  it('reads a truncated or replaced file again', async () => {
    const root = await temporaryFolder();
    const file = await writeTranscript(root, [userLine('before'), titleLine('Before')]);
    const index = indexOver(root);
    expect(titles((await index.list()).sessions)).toEqual(['Before']);
    await truncate(file, 0);
    await appendFile(file, `${userLine('after')}\n`);
    await index.refresh();
    expect(titles((await index.list()).sessions)).toEqual(['after']);
    await rm(file);
    await writeFile(file, `${userLine('third')}\n${assistantLine('long '.repeat(500))}\n`);
    await index.refresh();
    expect(titles((await index.list()).sessions)).toEqual(['third']);
  });

  it('reports what was added, grew, got another title or was removed', async () => {
    const root = await temporaryFolder();
    const index = indexOver(root);
    await index.list();
    const reported: string[] = [];
    index.onChange((change) => {
      if (change.kind === 'removed') reported.push('removed');
      else
        reported.push(
          `${change.kind} ${change.entry.title} ${change.kind === 'changed' ? change.what.join() : ''}`.trim(),
        );
    });
    const file = await writeTranscript(root, [userLine('hello')]);
    await index.refresh();
    await appendFile(file, `${assistantLine('hi')}\n`);
    await index.refresh();
    await appendFile(file, `${titleLine('Greeting')}\n`);
    await index.refresh();
    await index.refresh();
    await rm(file);
    await index.refresh();
    expect(reported).toEqual([
      'added hello',
      'changed hello content',
      'changed Greeting content,title',
      'removed',
    ]);
  });

  it('tolerates files that disappear between scan and reading, and reports which could not be read', async () => {
    const root = await temporaryFolder();
    const disappearing = await writeTranscript(root, [userLine('disappearing')], { minutesAgo: 1 });
    await writeTranscript(root, [userLine('staying')], { minutesAgo: 2 });
    const errors: unknown[] = [];
    const cache: IndexCache = new MemoryIndexCache();
    const index = indexOver(root, { cache, onError: (error) => errors.push(error) });
    await index.files();
    await rm(disappearing);
    expect(titles((await index.list()).sessions)).toEqual(['staying']);
    expect(errors).toEqual([]);
  });

  it('lists the others when a transcript was emptied between scan and reading', async () => {
    const root = await temporaryFolder();
    const emptied = await writeTranscript(root, [userLine('emptied'), assistantLine('x'.repeat(9_000))]);
    await writeTranscript(root, [userLine('staying')]);
    const index = indexOver(root);
    await index.files();
    await truncate(emptied, 0);
    expect(titles((await index.list()).sessions)).toEqual(['staying']);
  });

  it('finds what was written while an earlier refresh was still at work', async () => {
    const root = await temporaryFolder();
    let saved = () => {};
    const saving = new Promise<void>((resolve) => {
      saved = resolve;
    });
    const cache = new WatchedCache();
    const save = cache.save.bind(cache);
    cache.save = (records) => saving.then(() => save(records));
    const index = indexOver(root, { cache });
    await index.list();
    await writeTranscript(root, [userLine('before')]);
    const first = index.refresh();
    await expect.poll(async () => titles((await index.list()).sessions)).toEqual(['before']);
    await writeTranscript(root, [userLine('meanwhile')]);
    const second = index.refresh();
    saved();
    await Promise.all([first, second]);
    expect(titles((await index.list()).sessions).sort()).toEqual(['before', 'meanwhile']);
  });

  it('continues when a listener fails, and calls the others', async () => {
    const root = await temporaryFolder();
    const errors: unknown[] = [];
    const index = indexOver(root, { onError: (error) => errors.push(error) });
    await index.list();
    const reported: string[] = [];
    index.onChange(() => {
      throw new Error('clumsy');
    });
    index.onChange(({ kind }) => reported.push(kind));
    await writeTranscript(root, [userLine('new')]);
    await index.refresh();
    expect(reported).toEqual(['added']);
    expect(errors).toEqual([new Error('clumsy')]);
    expect(titles((await index.list()).sessions)).toEqual(['new']);
  });

  it('works without its cache when that fails', async () => {
    const root = await temporaryFolder();
    await writeTranscript(root, [userLine('shown')]);
    const broken = () => Promise.reject(new Error('disk full'));
    const errors: unknown[] = [];
    const index = indexOver(root, {
      cache: { load: broken, save: broken, remove: broken },
      onError: (error) => errors.push(error),
    });
    expect(titles((await index.list()).sessions)).toEqual(['shown']);
    await index.close();
    expect(errors).toHaveLength(2);
  });

  it('ignores cached records of another version', async () => {
    const root = await temporaryFolder();
    await writeTranscript(root, [userLine('right')]);
    const cache = new MemoryIndexCache();
    const first = indexOver(root, { cache });
    await first.list();
    await first.close();
    const [record] = [...(await cache.load())];
    if (!record) throw new Error('expected a record');
    await cache.save([{ ...record, version: 0, facts: { firstPrompt: 'wrong' } }]);
    expect(titles((await indexOver(root, { cache }).list()).sessions)).toEqual(['right']);
  });

  it('lists nothing if there is no folder yet, and finds it later', async () => {
    const root = join(await temporaryFolder(), 'projects');
    const index = indexOver(root);
    expect((await index.list()).sessions).toEqual([]);
    await writeTranscript(root, [userLine('first ever')]);
    await index.refresh();
    expect(titles((await index.list()).sessions)).toEqual(['first ever']);
  });

  it('says which folders it cannot read, and lists the rest [code.index.unreadable]', async () => {
    const root = await temporaryFolder();
    await writeTranscript(root, [userLine('readable')]);
    // Cannot be read by anybody, not even by root.
    const loop = join(root, 'loop');
    await symlink('loop', loop);
    await writeFile(join(root, 'a-file'), '');
    const errors: unknown[] = [];
    const index = indexOver(root, { onError: (error) => errors.push(error) });
    const unreadable = [{ folder: loop, reason: 'ELOOP' }];
    const page = await index.list();
    expect(titles(page.sessions)).toEqual(['readable']);
    expect(page.unreadable).toEqual(unreadable);
    await index.refresh();
    expect(errors.map(String)).toEqual([`Error: The folder ${loop} cannot be read: ELOOP.`]);
    await rm(loop);
    await index.refresh();
    expect((await index.list()).unreadable).toEqual([]);

    const whole = indexOver(join(root, 'a-file'));
    expect(await whole.list()).toMatchObject({
      sessions: [],
      unreadable: [{ folder: join(root, 'a-file'), reason: 'ENOTDIR' }],
    });
  });

  it('stops a listing when asked to', async () => {
    const index = indexOver(await temporaryFolder());
    await expect(index.list({ signal: AbortSignal.abort() })).rejects.toThrow('aborted');
  });

  it('keeps its record of a file if only the time changed', async () => {
    const root = await temporaryFolder();
    const file = await writeTranscript(root, [userLine('touched')], { minutesAgo: 5 });
    const index = indexOver(root);
    await index.list();
    const now = new Date(Math.floor(Date.now() / 1000) * 1000);
    await utimes(file, now, now);
    await index.refresh();
    expect((await index.list()).sessions[0]).toMatchObject({ title: 'touched', updatedAt: now });
  });
});
