// Parses a path that the model wrote. Pure: it only returns the names; folder.ts checks where they lead.
import { ParleyError } from '@parley/protocol';

export interface VaultPath {
  /** The names below the person's folder; empty for the folder itself. */
  readonly names: readonly string[];
  /** The path as shown in answers. */
  readonly text: string;
}

const longestPath = 1_024;
const longestName = 255;

export function parsePath(path: string): VaultPath {
  if (Buffer.byteLength(path) > longestPath) throw refused('The path is too long.');
  if (/\p{Cc}/u.test(path)) throw refused('The path contains a control character.');
  if (path.includes('\\')) throw refused(`"${path}" contains a backslash. Use "/" between folders.`);
  if (/%(2e|2f|5c|00|25)/i.test(path))
    throw refused(`"${path}" is percent-encoded. Write the path without encoding.`);
  if (/^(\/|~|[a-z]:)/i.test(path)) {
    throw refused(
      `"${path}" is not relative. Paths start in the person's own folder, such as "recipes/soup.md".`,
    );
  }
  const names = path.split('/').filter((name) => name !== '' && name !== '.');
  if (names.includes('..')) throw refused(`"${path}" contains "..". Paths can only lead down.`);
  if (names.some((name) => Buffer.byteLength(name) > longestName))
    throw refused('A name in the path is too long.');
  return { names, text: names.join('/') };
}

/** The folder and the name of a file. */
export function parseFilePath(
  path: string,
): VaultPath & { readonly folder: readonly string[]; readonly name: string } {
  const parsed = parsePath(path);
  const name = parsed.names.at(-1);
  if (name === undefined || path.endsWith('/')) throw refused(`"${path}" names a folder. Name a file.`);
  return { ...parsed, folder: parsed.names.slice(0, -1), name };
}

/**
 * Files that make other programs run commands or give instructions to agents. Hidden ones are configuration by
 * convention: .git, .claude, .obsidian, .vscode, .envrc …
 */
export function refuseProtected({ names, text }: VaultPath): void {
  const found = names.find((name) => isProtected(plainName(name)) || shortHiddenName.test(name));
  if (found === undefined) return;
  throw new ParleyError('forbidden', `"${text}" cannot be written: ${found} is protected.`);
}

/** Read or obeyed by agents that work in the folder. */
const agentFiles =
  'claude.md claude.local.md agents.md agents.override.md agent.md gemini.md qwen.md warp.md copilot-instructions.md opencode.json opencode.jsonc'.split(
    ' ',
  );
/** Run by editors and note programs, by build tools and by the desktop. */
const runFiles =
  'custom.js config.edn makefile gnumakefile justfile taskfile.yml taskfile.yaml package.json mise.toml autorun.inf desktop.ini'.split(
    ' ',
  );
const protectedNames: ReadonlySet<string> = new Set([...agentFiles, ...runFiles]);
const protectedEndings = /\.(code-workspace|desktop|lnk)$/;
/** How Windows shortens a hidden name: `.git` is also `GIT~1`. */
const shortHiddenName = /^[a-z]{1,6}~\d+(\.jso)?$/i;

function isProtected(name: string): boolean {
  return name.startsWith('.') || protectedNames.has(name) || protectedEndings.test(name);
}

/** How a file system may read a name: some ignore case, invisible characters or trailing dots. */
function plainName(name: string): string {
  const visible = name.normalize('NFKC').replaceAll(/\p{Cf}/gu, '');
  return visible
    .replace(/:.*$/s, '')
    .replace(/[. ]+$/, '')
    .toLowerCase();
}

function refused(message: string): ParleyError {
  return new ParleyError('invalid', message);
}
