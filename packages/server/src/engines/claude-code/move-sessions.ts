// Moves or copies sessions from one program home to another: the transcript, and what the program keeps for it
// elsewhere. Links are moved as links; the index doesn't follow them.
import { cp, mkdir, readdir, realpath, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathExists } from '../../basics/path-exists.ts';

/** Configuration folders in which the program keeps files under the id of a session. */
const sessionFolders = ['file-history', 'tasks', 'session-env'];

interface Transfer {
  /** The configuration folders of the two homes. */
  readonly from: string;
  readonly to: string;
}

/** Returns the ids that were moved. A session that is already in the other home stays where it is. */
export async function moveSessions(
  ids: ReadonlySet<string>,
  transfer: Transfer,
  onError: (error: unknown) => void,
): Promise<readonly string[]> {
  const moved: string[] = [];
  if (ids.size === 0 || transfer.from === transfer.to) return moved;
  for (const { project, id } of await transcriptsIn(transfer.from)) {
    if (!ids.has(id)) continue;
    try {
      if (await transferSession(project, id, transfer, move)) moved.push(id);
    } catch (error) {
      onError(error);
    }
  }
  return moved;
}

/** Keeps the original, because a program outside of Parley may still write to it. False if nothing was copied. */
export async function copySession(id: string, transfer: Transfer): Promise<boolean> {
  const found = (await transcriptsIn(transfer.from)).find((one) => one.id === id);
  return found !== undefined && (await transferSession(found.project, id, transfer, copy));
}

async function transferSession(
  project: string,
  id: string,
  { from, to }: Transfer,
  carry: (from: string, to: string) => Promise<void>,
): Promise<boolean> {
  const transcript = join('projects', project, `${id}.jsonl`);
  if (await pathExists(join(to, transcript))) return false;
  // The transcript comes last, because the session counts as transferred once it is there.
  const rest = [join('projects', project, id), ...sessionFolders.map((folder) => join(folder, id))];
  for (const path of [...rest, transcript]) {
    if (!(await pathExists(join(from, path))) || (await pathExists(join(to, path)))) continue;
    await makeRealFolder(dirname(join(to, path)));
    await carry(join(from, path), join(to, path));
  }
  return true;
}

/** Programs can write to a home, and could place a link there that leads elsewhere. */
async function makeRealFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await realpath(folder)) !== folder) throw new Error(`${folder} leads through a symbolic link.`);
}

async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    await copy(from, to);
    await rm(from, { recursive: true });
  }
}

/** Keeps the modification time, because lists are sorted by it. */
function copy(from: string, to: string): Promise<void> {
  return cp(from, to, { recursive: true, preserveTimestamps: true, errorOnExist: true, force: false });
}

async function transcriptsIn(config: string): Promise<{ readonly project: string; readonly id: string }[]> {
  const projects = await readdir(join(config, 'projects')).catch(() => []);
  const found = await Promise.all(
    projects.map(async (project) => {
      const names = await readdir(join(config, 'projects', project)).catch(() => []);
      return names
        .filter((name) => name.endsWith('.jsonl'))
        .map((name) => ({ project, id: name.slice(0, -'.jsonl'.length) }));
    }),
  );
  return found.flat();
}
