import { appendFile, mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  type SessionChange,
  SessionIndex,
  type SessionIndexOptions,
  type WatchFolder,
} from '../../src/index.ts';
import { assistantLine, temporaryFolder, titleLine, userLine, writeTranscript } from './sample-lines.ts';

const PATIENCE = { timeout: 60_000, interval: 10 };

async function watched(root: string, watch: SessionIndexOptions['watch']) {
  const index = new SessionIndex({ root, ...(watch === undefined ? {} : { watch }) });
  onTestFinished(() => index.close());
  const changes: SessionChange[] = [];
  index.onChange((change) => changes.push(change));
  await index.list();
  const reported = () =>
    changes.map((change) => (change.kind === 'removed' ? 'removed' : `${change.kind} ${change.entry.title}`));
  return { index, changes, reported };
}

/** The rescan interval is longer than these tests, so changes come from the mechanism under test. */
const ways: [string, SessionIndexOptions['watch']][] = [
  ['the file system', { rescanMs: 3_600_000, pollMs: 20 }],
  ['polling', { pollOnly: true, pollMs: 20 }],
];

describe.each(ways)('an index updated by %s', (_name, watch) => {
  it('reports new, growing, renamed and removed sessions [code.index.watch]', async () => {
    const root = await temporaryFolder();
    const known = await writeTranscript(root, [userLine('known')]);
    const { reported, changes } = await watched(root, watch);
    const file = await writeTranscript(root, [userLine('hello')]);
    await expect.poll(reported, PATIENCE).toContain('added hello');
    await appendFile(file, `${assistantLine('hi')}\n`);
    await expect.poll(reported, PATIENCE).toContain('changed hello');
    await appendFile(known, `${titleLine('Renamed')}\n`);
    await expect.poll(reported, PATIENCE).toContain('changed Renamed');
    expect(changes.at(-1)).toMatchObject({ what: ['content', 'title'] });
    await rm(file);
    await expect.poll(reported, PATIENCE).toContain('removed');
  });

  it('sees projects that are created later, even the first one', async () => {
    const root = join(await temporaryFolder(), 'projects');
    const { reported } = await watched(root, watch);
    await mkdir(root);
    await writeTranscript(root, [userLine('first')], { project: '-first' });
    await expect.poll(reported, PATIENCE).toContain('added first');
    const file = await writeTranscript(root, [userLine('second')], { project: '-second' });
    await expect.poll(reported, PATIENCE).toContain('added second');
    await appendFile(file, `${titleLine('Second')}\n`);
    await expect.poll(reported, PATIENCE).toContain('changed Second');
  });

  it('follows a project that was removed and created again', async () => {
    const root = await temporaryFolder();
    const removed = await writeTranscript(root, [userLine('before')]);
    const { reported } = await watched(root, watch);
    await rm(dirname(removed), { recursive: true });
    await expect.poll(reported, PATIENCE).toContain('removed');
    const file = await writeTranscript(root, [userLine('after')]);
    await expect.poll(reported, PATIENCE).toContain('added after');
    await appendFile(file, `${titleLine('Later')}\n`);
    await expect.poll(reported, PATIENCE).toContain('changed Later');
  });

  it('reports nothing after it is closed', async () => {
    const root = await temporaryFolder();
    const { index, reported } = await watched(root, watch);
    await index.close();
    await writeTranscript(root, [userLine('unseen')]);
    const after = await watched(root, watch);
    await writeTranscript(root, [userLine('later')]);
    await expect.poll(after.reported, PATIENCE).toContain('added later');
    expect(reported()).toEqual([]);
  });
});

describe('an index that cannot watch', () => {
  it('falls back to polling when there are no watches left', async () => {
    const root = await temporaryFolder();
    await writeTranscript(root, [userLine('known')]);
    const refuse: WatchFolder = () => {
      throw Object.assign(new Error('no space left for watches'), { code: 'ENOSPC' });
    };
    const { reported } = await watched(root, { watch: refuse, pollMs: 20 });
    await writeTranscript(root, [userLine('found by polling')]);
    await expect.poll(reported, PATIENCE).toContain('added found by polling');
  });

  it('falls back to polling when a watch breaks later', async () => {
    const root = await temporaryFolder();
    const breakRoot: (() => void)[] = [];
    const fragile: WatchFolder = (folder) => {
      const opened = {
        close: () => {},
        on: (event: string, listener: (error: Error) => void) => {
          if (event === 'error' && folder === root) breakRoot.push(() => listener(new Error('gone')));
          return opened;
        },
      };
      return opened as unknown as ReturnType<WatchFolder>;
    };
    let watches = 0;
    const once: WatchFolder = (folder, listener) => {
      watches += 1;
      if (watches > 1) throw new Error('no more');
      return fragile(folder, listener);
    };
    const { reported } = await watched(root, { watch: once, pollMs: 20, rescanMs: 3_600_000 });
    for (const broken of breakRoot) broken();
    await writeTranscript(root, [userLine('after the break')]);
    await expect.poll(reported, PATIENCE).toContain('added after the break');
  });
});
