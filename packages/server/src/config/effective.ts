// Adds what follows from other settings: demo mode, its people and folders, absolute paths.
import { join } from 'node:path';
import { demoFolder, demoPeople, demoProjectsRoot, demoVaultRoot } from '../demo/layout.ts';
import { botsOf } from './bots.ts';
import { absolutePath, type Folders } from './layers.ts';
import type { Origin } from './problem.ts';
import { allSettings, type Config, type Settings } from './schema.ts';

/** Demo mode decides these settings if nobody has set them. */
const setByDemo: ReadonlySet<string> = new Set(['people', 'vaultRoot', 'workRoots', 'claude.permissionMode']);

export function effective(
  settings: Settings,
  given: ReadonlyMap<string, Origin>,
  folders: Folders,
): { readonly config: Config; readonly origins: ReadonlyMap<string, Origin> } {
  const demo = settings.demo ?? settings.anthropic.apiKey === undefined;
  const home = absolutePath(settings.home, folders);
  const origins = new Map(given);
  for (const { key } of allSettings) {
    if (!origins.has(key)) origins.set(key, { from: 'default' });
    if (demo && setByDemo.has(key) && !given.has(key)) origins.set(key, { from: 'demo' });
  }
  const config: Config = {
    ...settings,
    home,
    demo,
    people: settings.people ?? (demo ? demoPeople : ['me']),
    vaultRoot: settings.vaultRoot ?? (demo ? demoVaultRoot(home) : join(folders.user, 'notes')),
    ...workplaces(settings, demo ? [demoProjectsRoot(home)] : [], home),
    // The program's mode `auto` needs a service that the demo doesn't have.
    claude: {
      ...settings.claude,
      permissionMode: settings.claude.permissionMode ?? (demo ? 'default' : undefined),
    },
    dataDir: demo ? demoFolder(home) : home,
  };
  return { config, origins };
}

/** Claude Code may also work in the workspace of each enabled bot. */
function workplaces(settings: Settings, usual: readonly string[], home: string) {
  const roots = (settings.workRoots ?? usual).map((root) =>
    typeof root === 'string' ? { path: root } : root,
  );
  const workspace = settings.workspace ?? roots[0]?.path ?? join(home, 'workspace');
  const ofBots = botsOf({ ...settings, workspace }).flatMap((bot) => (bot.isEnabled ? bot.workspace : []));
  const known = new Set(roots.map(({ path }) => path));
  const more = [...new Set(ofBots)].filter((path) => !known.has(path)).map((path) => ({ path }));
  return { workspace, workRoots: [...roots, ...more] };
}
