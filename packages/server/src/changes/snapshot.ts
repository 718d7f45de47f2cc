// Writes the working tree as a git tree without touching the repository: git gets a copy of the index, and new objects
// go to our own folder. Leaves out files that git ignores, submodules, pipes and very large files.
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, lstat, rm } from 'node:fs/promises';
import { ParleyError } from '@parley/protocol';
import { splitNames } from './parse-diff.ts';
import type { PrivateGit } from './private-git.ts';

export interface Snapshot {
  readonly tree: string;
  /** How many files are too large. */
  readonly skipped: number;
}

const largestFile = 64 * 1024 * 1024;
const maxChanged = 20_000;
const atOnce = 64;

export async function takeSnapshot(git: PrivateGit, signal?: AbortSignal): Promise<Snapshot> {
  const index = git.own(`index-${randomUUID()}`);
  try {
    await git.copyIndex(index);
    const { output } = await git.runOnContent(
      ['ls-files', '-z', '--others', '--modified', '--deleted', '--exclude-standard'],
      { index, signal },
    );
    const names = splitNames(output);
    if (names.length > maxChanged) throw tooMany;
    const { usable, skipped } = await usableNames(git.repository.top, names);
    if (usable.length > 0) {
      const input = Buffer.concat(usable.flatMap((name) => [name, nul]));
      await git.runOnContent(['update-index', '-z', '--add', '--remove', '--stdin'], {
        index,
        input,
        signal,
      });
    }
    const written = await git.runOnContent(['write-tree', '--missing-ok'], { index, signal });
    return { tree: written.output.toString().trim(), skipped };
  } finally {
    await rm(index, { force: true });
    await rm(`${index}.lock`, { force: true });
  }
}

const nul = Buffer.from([0]);

/** Git stops at the first file that it can't read, so those are left out. */
async function usableNames(top: string, names: readonly Buffer[]) {
  const usable: Buffer[] = [];
  let skipped = 0;
  for (let at = 0; at < names.length; at += atOnce) {
    const some = names.slice(at, at + atOnce);
    const kinds = await Promise.all(
      some.map((name) => kindOf(Buffer.concat([Buffer.from(`${top}/`), name]))),
    );
    some.forEach((name, position) => {
      if (kinds[position] === 'usable') usable.push(name);
      else if (kinds[position] === 'large') skipped += 1;
    });
  }
  return { usable, skipped };
}

async function kindOf(path: Buffer): Promise<'usable' | 'large' | 'other'> {
  const found = await lstat(path).catch(() => undefined);
  // Deleted, which is a change too.
  if (!found || found.isSymbolicLink()) return 'usable';
  if (!found.isFile()) return 'other';
  if (found.size > largestFile) return 'large';
  return access(path, constants.R_OK).then(
    () => 'usable',
    () => 'other',
  );
}

const tooMany = new ParleyError(
  'too_large',
  'More than 20,000 files have changed. Add what does not belong to the project to .gitignore.',
);
