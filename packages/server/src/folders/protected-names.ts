// Names that are never written, because programs run or obey files with these names.
import { ParleyError } from '@parley/protocol';
import type { FolderPath } from './folder-path.ts';

/**
 * Files that make other programs run commands or give instructions to agents. Hidden ones are configuration by
 * convention: .git, .claude, .obsidian, .vscode, .envrc …
 */
export function refuseProtected({ names, text }: FolderPath): void {
  const found = names.find((name) => isProtected(plainName(name)) || shortHiddenName.test(name));
  if (found === undefined) return;
  throw new ParleyError('forbidden', `"${text}" cannot be written: ${found} is protected.`);
}

/** Configuration that makes the `claude` program run something. It belongs in an editor, where somebody sees what it does. */
export function refuseWorkSettings({ names, text }: FolderPath): void {
  const found = names.find((name) => ['.claude', '.mcp.json'].includes(plainName(name)));
  if (found === undefined) return;
  throw new ParleyError('forbidden', `"${text}" cannot be written: ${found} is protected.`);
}

/** The inside of a repository: its configuration may contain secrets, and git runs what it names. */
export function refuseRepository({ names, text }: FolderPath): void {
  if (!names.some((name) => plainName(name) === '.git' || /^git~\d+$/i.test(name))) return;
  throw new ParleyError('forbidden', `"${text}" belongs to git itself.`);
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
