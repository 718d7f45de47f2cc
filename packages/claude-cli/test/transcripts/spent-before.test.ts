// What a conversation cost before a process continues it, when that is known and when it is not.
import { randomUUID } from 'node:crypto';
import { mkdir, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectFolderName, readSpentUsd } from '../../src/index.ts';
import { spentBefore } from '../../src/transcripts/spent.ts';
import { line, temporaryFolder, userLine } from '../transcripts/sample-lines.ts';

async function home() {
  const folder = await temporaryFolder();
  const workingDir = join(folder, 'work');
  const project = join(folder, '.claude', 'projects', projectFolderName(workingDir));
  await Promise.all([mkdir(workingDir), mkdir(project, { recursive: true })]);
  const where = { workingDir, environment: { HOME: folder } };

  async function write(totals: readonly number[], age = 0, behind: readonly string[] = []) {
    const id = randomUUID();
    const file = join(project, `${id}.jsonl`);
    const notes = totals.map((totalCostUSD) => line('cost-state', { sessionId: id, totalCostUSD }));
    await writeFile(file, `${[userLine('Hello'), ...notes, ...behind].join('\n')}\n`);
    const time = Date.now() / 1000 - age;
    await utimes(file, time, time);
    return { id, file };
  }

  return { where, write, project };
}

describe('what a conversation cost before', () => {
  it('is nothing for a new one', async () => {
    const { where, write } = await home();
    await write([3]);
    expect(await spentBefore({ session_id: randomUUID() }, where)).toBe(0);
  });

  it('is the last note in the transcript that is resumed or forked, no matter how far from its end', async () => {
    const { where, write } = await home();
    const { id } = await write([1, 2.5]);
    expect(await spentBefore({ resume: id }, where)).toBe(2.5);
    expect(await spentBefore({ resume: id, fork_session: true }, where)).toBe(2.5);
    const far = await write([4], 0, [
      userLine(`not a "cost-state" ${'x'.repeat(3_000_000)}`),
      '{"type":"cost-state","to',
    ]);
    expect(await readSpentUsd(far.file)).toBe(4);
    expect(await readSpentUsd((await write([])).file)).toBe(0);
  });

  it('is the cost of the newest conversation in the directory with `continue`', async () => {
    const { where, write } = await home();
    await write([1], 100);
    await write([2], 50);
    await write([3], 200);
    expect(await spentBefore({ continue: true }, where)).toBe(2);
  });

  it('is known in a home behind a link, but a transcript that is a link is not read', async () => {
    const { where, write, project } = await home();
    const { id, file } = await write([2]);
    const link = join(await temporaryFolder(), 'link');
    await symlink(where.environment.HOME, link);
    expect(await spentBefore({ resume: id }, { ...where, environment: { HOME: link } })).toBe(2);
    const other = randomUUID();
    await symlink(file, join(project, `${other}.jsonl`));
    expect(await spentBefore({ resume: other }, where)).toBe(Number.POSITIVE_INFINITY);
  });

  it('is unknown without the transcript', async () => {
    const { where } = await home();
    const unknown = Number.POSITIVE_INFINITY;
    expect(await spentBefore({ resume: randomUUID() }, where)).toBe(unknown);
    expect(await spentBefore({ resume: 'by its title' }, where)).toBe(unknown);
    expect(await spentBefore({ from_pr: '12' }, where)).toBe(unknown);
    expect(await spentBefore({ continue: true }, { ...where, workingDir: '/nowhere' })).toBe(unknown);
  });
});
