// Lists a folder for the model: folders first, then files with their sizes.
import { lstat, opendir } from 'node:fs/promises';
import { isDraft } from '../../basics/atomic-file.ts';
import type { Folder } from '../../folders/folder.ts';

/** In a folder with more entries, the rest is not read. */
const maxNames = 10_000;

export async function listFolder(folder: Folder, maxEntries: number): Promise<string> {
  const names = await readNames(folder);
  if (names.length === 0) return 'The folder is empty.';
  const order = new Intl.Collator('en', { numeric: true });
  const sorted = names.toSorted(
    (a, b) => Number(b.isFolder) - Number(a.isFolder) || order.compare(a.name, b.name),
  );
  const lines = await Promise.all(sorted.slice(0, maxEntries).map((entry) => describe(folder, entry)));
  const rest = names.length - lines.length;
  if (rest <= 0) return lines.join('\n');
  const count = names.length >= maxNames ? `more than ${rest}` : String(rest);
  return [...lines, `[The list was cut: this folder has ${count} more entries.]`].join('\n');
}

interface Entry {
  readonly name: string;
  readonly isFolder: boolean;
  readonly isFile: boolean;
  readonly isLink: boolean;
}

async function readNames(folder: Folder): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of await opendir(folder.path)) {
    if (isDraft(entry.name)) continue;
    entries.push({
      name: entry.name,
      isFolder: entry.isDirectory(),
      isFile: entry.isFile(),
      isLink: entry.isSymbolicLink(),
    });
    if (entries.length >= maxNames) break;
  }
  return entries;
}

async function describe(folder: Folder, { name, isFolder, isFile, isLink }: Entry): Promise<string> {
  // A name may contain anything but a slash, and must stay on its line.
  const shown = JSON.stringify(name).slice(1, -1);
  if (isFolder) return `${shown}/`;
  if (isLink) return `${shown} (a link, not followed)`;
  if (!isFile) return `${shown} (not a regular file)`;
  const stats = await lstat(folder.entry(name)).catch(() => undefined);
  return stats === undefined ? shown : `${shown} (${inUnits(stats.size)})`;
}

function inUnits(bytes: number): string {
  if (bytes < 1_024) return `${bytes} B`;
  if (bytes < 1_024 * 1_024) return `${(bytes / 1_024).toFixed(1)} KB`;
  return `${(bytes / (1_024 * 1_024)).toFixed(1)} MB`;
}
