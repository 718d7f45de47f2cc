// The commands that the program named last in a folder, for sessions there in which it has not spoken yet.
import type { OfferedCommand } from '../model/offered-commands.ts';

const mostFolders = 20;
const told = new Map<string, readonly OfferedCommand[]>();

export function rememberCommands(folder: string, commands: readonly OfferedCommand[]): void {
  if (commands.length === 0) return;
  told.delete(folder);
  told.set(folder, commands);
  for (const oldest of [...told.keys()].slice(0, -mostFolders)) told.delete(oldest);
}

export function knownCommands(folder: string): readonly OfferedCommand[] {
  return told.get(folder) ?? [];
}
