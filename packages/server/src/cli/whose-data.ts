// Which data a command means: the home's own, or the demo's in the home. The configuration alone doesn't say, because the
// server may have an API key that the command doesn't have.
import { pathExists } from '../basics/path-exists.ts';
import { isListening } from '../basics/private-socket.ts';
import { controlSocket, databaseFile } from '../config/files.ts';
import { loadInDemo, loadProcessConfig } from '../config/load.ts';
import type { LoadedConfig } from '../config/resolve.ts';
import { demoFolder } from '../demo/layout.ts';
import type { CommandLine } from './command-line.ts';

/**
 * For commands that look at what a server has or does. The running server decides, unless `demo` is set. Without one, the
 * demo's data counts only if there is no API key and the home has no data of its own.
 */
export async function loadForData(line: Pick<CommandLine, 'flags'>): Promise<LoadedConfig> {
  const loaded = loadProcessConfig(line.flags);
  if (isDemoSet(loaded)) return loaded;
  const { home, demo } = loaded.config;
  const [own, ofDemo] = [{ dataDir: home }, { dataDir: demoFolder(home) }];
  const [usesOwn, usesDemo] = await Promise.all([
    isListening(controlSocket(own)),
    isListening(controlSocket(ofDemo)),
  ]);
  if (usesOwn !== usesDemo) return loadInDemo(usesDemo, loaded);
  return loadInDemo(demo && !(await pathExists(databaseFile(own))), loaded);
}

/** For `backup`, `restore` and `migrate`: always the home's own data, unless somebody has turned on demo mode. */
export function loadForHome(loaded: LoadedConfig): LoadedConfig {
  return isDemoSet(loaded) ? loaded : loadInDemo(false, loaded);
}

/** One line that says so if it is the demo's data. */
export function noteDemo({ config }: Pick<LoadedConfig, 'config'>): void {
  if (config.demo) process.stderr.write(`parley: this is the data of the demo, in ${config.dataDir}\n`);
}

/** Whether an API key decides on demo mode, and not the setting. */
function isDemoSet({ origins }: LoadedConfig): boolean {
  return (origins.get('demo') ?? { from: 'default' }).from !== 'default';
}
