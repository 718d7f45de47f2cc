// Loads the configuration the way every command does: from this process and the user's folders.
import { homedir } from 'node:os';
import { readEnvironment } from '../config/environment.ts';
import { type LoadedConfig, loadConfig } from '../config/load.ts';
import type { CommandLine } from './command-line.ts';

export function loadFor({ flags }: Pick<CommandLine, 'flags'>): LoadedConfig {
  return loadConfig({
    environment: readEnvironment(),
    flags: { ...flags },
    folders: { current: process.cwd(), user: homedir() },
  });
}
