// Where the `claude` program looks for configuration when it works in a folder (measured with 2.1.325): in the folder, in
// those above it, and for a linked git working tree in the main checkout.
import { basename, dirname, join, resolve } from 'node:path';
import { pathExists } from '../../../basics/path-exists.ts';
import { gitFolderOf, readSmall } from '../../../folders/git-folder.ts';

export interface Places {
  /** Folders whose `.mcp.json` and CLAUDE.md count: this one and all above it. */
  readonly above: readonly string[];
  /** Folders whose `.claude` offers commands, skills and agents: up to the root of the git working tree. */
  readonly claude: readonly string[];
  /** Folders whose `.claude` has settings that count. */
  readonly settings: readonly string[];
}

/** `ownFolder` has the user's own configuration, usually `~/.claude`. It needs no trust and is left out. */
export async function placesOf(folder: string, ownFolder: string): Promise<Places> {
  const above = withParents(folder);
  const root = await firstWithGit(above);
  const upToRoot = root === undefined ? above : above.slice(0, above.indexOf(root) + 1);
  const main = root === undefined ? undefined : await mainCheckout(root);
  const isForeign = (place: string) => join(place, '.claude') !== ownFolder;
  const roots = [root, main].filter((place) => place !== undefined);
  return {
    above,
    claude: unique([...upToRoot, ...roots]).filter(isForeign),
    settings: unique([folder, ...roots]).filter(isForeign),
  };
}

function withParents(folder: string): readonly string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...withParents(parent)];
}

async function firstWithGit(folders: readonly string[]): Promise<string | undefined> {
  const have = await Promise.all(folders.map((folder) => pathExists(join(folder, '.git'))));
  return folders[have.indexOf(true)];
}

/** The checkout that a linked working tree belongs to; undefined for any other. */
async function mainCheckout(root: string): Promise<string | undefined> {
  const gitFolder = await gitFolderOf(root);
  if (gitFolder === undefined || gitFolder === join(root, '.git')) return undefined;
  const shared = await readSmall(join(gitFolder, 'commondir'));
  if (shared === undefined) return undefined;
  const common = resolve(gitFolder, shared.trim());
  return basename(common) === '.git' ? dirname(common) : undefined;
}

function unique(paths: readonly string[]): readonly string[] {
  return [...new Set(paths)];
}
