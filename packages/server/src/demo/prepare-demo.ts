// Lays out the demo on its first start: sample people with sample notes, and a sample project, apart from real data.
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sampleNotes, sampleProject, sampleProjectName } from '@parley/demo';
import type { PersonName } from '@parley/protocol';
import { demoFolder, demoPeople, demoProjectsRoot, demoVaultRoot } from './layout.ts';

export interface Demo {
  readonly people: readonly PersonName[];
  readonly vaultRoot: string;
  /** The folder of the demo; everything it writes stays below. */
  readonly folder: string;
}

/** A vault that is there already is left as it is, whatever became of its notes. */
export async function prepareDemo(home: string): Promise<Demo> {
  const vaultRoot = demoVaultRoot(home);
  await mkdir(vaultRoot, { recursive: true, mode: 0o700 });
  for (const person of demoPeople) await layOut(join(vaultRoot, person), sampleNotes[person]);
  return { people: demoPeople, vaultRoot, folder: demoFolder(home) };
}

/** A project for Claude Code; one that is there already is left as it is. */
export async function prepareProject(home: string): Promise<string> {
  const projects = demoProjectsRoot(home);
  await mkdir(projects, { recursive: true, mode: 0o700 });
  const project = join(projects, sampleProjectName);
  await layOut(project, sampleProject);
  return project;
}

/** Written aside and moved into place, so that a folder is there with all of its files or not at all. */
async function layOut(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  const draft = await mkdtemp(join(dirname(folder), '.draft-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      const file = join(draft, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    }
    await rename(draft, folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST' && code !== 'ENOTDIR') throw error;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}
