// The last step of a restore: moves the data of a home aside, and an unpacked and checked backup into its place. A file
// says what to move, so that the next start finishes what a crash, or the restart of a server, has left.
import { lstat, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { replaceFile } from '../basics/atomic-file.ts';
import { pathExists } from '../basics/path-exists.ts';
import { isData, restorePlanFile } from '../config/files.ts';
import { lockFolder } from '../stores/sqlite/folder-lock.ts';

interface Home {
  readonly dataDir: string;
}

/** Names of folders in the home. */
const Plan = z.object({
  stage: z.string().regex(/^\.restoring-\w+$/),
  aside: z.string().regex(/^before-restore-\w+$/),
  /** What has to move aside. Absent before the first file moves. */
  present: z.array(z.string()).optional(),
});
type Plan = z.infer<typeof Plan>;

/**
 * `stage` is the name of the folder with the unpacked backup. Returns the folder that the present data will move to. Only
 * whoever has locked the home may call it.
 */
export async function planRestore(home: Home, stage: string): Promise<string> {
  // In milliseconds, because no other restore may have used the folder: names in it count as moved.
  const time = new Date().toISOString().replaceAll(/[-:.Z]/g, '');
  const plan = Plan.parse({ stage, aside: `before-restore-${time}` });
  await writePlan(home, plan);
  return join(home.dataDir, plan.aside);
}

/** Does what was planned and not finished. Needs the home to itself. */
export async function finishRestore(home: Home): Promise<void> {
  const lock = await lockFolder(home.dataDir);
  try {
    await moveIntoPlace(home);
  } finally {
    await lock.close();
  }
}

/**
 * Each step can be repeated. Only whoever has locked the home may call it. Returns the folder of the data that was there
 * before, if there was any.
 */
export async function moveIntoPlace(home: Home): Promise<string | undefined> {
  const { dataDir } = home;
  const file = restorePlanFile(home);
  if (!(await pathExists(file))) return undefined;
  const plan = Plan.parse(JSON.parse(await readFile(file, 'utf8')));
  const [stage, aside] = [join(dataDir, plan.stage), join(dataDir, plan.aside)];
  const present = plan.present ?? (await readdir(dataDir)).filter(isData);
  if (!plan.present) {
    // Whoever asked for the restore has taken it back.
    if (!(await pathExists(stage))) {
      await rm(file);
      return undefined;
    }
    await writePlan(home, { ...plan, present });
  }
  if (present.length > 0) await mkdir(aside, { recursive: true, mode: 0o700 });
  for (const name of present) {
    // If it is there already, the file with this name in the home is the restored one.
    if (!(await isThere(join(aside, name)))) await rename(join(dataDir, name), join(aside, name));
  }
  const restored = await readdir(stage);
  for (const name of restored.filter(isData)) await rename(join(stage, name), join(dataDir, name));
  await rm(file);
  await rm(stage, { recursive: true, force: true });
  return present.length > 0 ? aside : undefined;
}

/** A link counts even if it leads nowhere. */
function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

function writePlan(home: Home, plan: Plan): Promise<void> {
  return replaceFile(restorePlanFile(home), JSON.stringify(plan));
}
