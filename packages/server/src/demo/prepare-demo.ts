// Writes the sample notes and the sample project on the first start, separate from real data.
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sampleNotes, sampleProject, sampleProjectName } from '@parley/demo';
import type { PersonName } from '@parley/protocol';
import { demoFolder, demoPeople, demoProjectsRoot, demoVaultRoot } from './layout.ts';

export interface Demo {
  readonly people: readonly PersonName[];
  readonly vaultRoot: string;
  /** The demo writes only below this folder. */
  readonly folder: string;
}

/** Never touches an existing vault, even if its notes were changed or deleted. */
export async function prepareDemo(home: string): Promise<Demo> {
  const vaultRoot = demoVaultRoot(home);
  await mkdir(vaultRoot, { recursive: true, mode: 0o700 });
  for (const person of demoPeople) await writeFolder(join(vaultRoot, person), sampleNotes[person]);
  return { people: demoPeople, vaultRoot, folder: demoFolder(home) };
}

/** Writes a project for Claude Code. Never touches an existing one. */
export async function prepareProject(home: string): Promise<string> {
  const projects = demoProjectsRoot(home);
  await mkdir(projects, { recursive: true, mode: 0o700 });
  const project = join(projects, sampleProjectName);
  await writeFolder(project, sampleProject);
  return project;
}

/** Writes a draft folder and renames it, so that the folder exists with all of its files or not at all. */
async function writeFolder(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
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
