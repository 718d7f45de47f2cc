// Rules for what a program in a sandbox can reach. The rule of the longest path wins; a path without a rule doesn't
// exist.
import { stat } from 'node:fs/promises';
import { dirname, sep } from 'node:path';

/** `scratch`: an empty folder that disappears with the program. `hide`: empty, although a folder above is visible. */
export type PathAccess = 'read' | 'write' | 'scratch' | 'hide';

export interface PathRule {
  /** Absolute, without symbolic links. */
  readonly path: string;
  readonly access: PathAccess;
  readonly isFile: boolean;
}

/** Skips paths that don't exist. Scratch folders don't have to. */
export async function rulesFor(access: PathAccess, paths: readonly string[]): Promise<readonly PathRule[]> {
  const found = await Promise.all(
    paths.map(async (path) => {
      if (access === 'scratch') return [{ path, access, isFile: false }];
      const at = await stat(path).catch(() => undefined);
      return at ? [{ path, access, isFile: !at.isDirectory() }] : [];
    }),
  );
  return found.flat();
}

/**
 * Parents come first, and each path has one rule, the last one given. Leaves out what is hidden anyway. A program could
 * rename a writable folder that contains a hidden one, and the rule would no longer lead there. So every folder in
 * between gets a rule too, which makes it a mount point, and those can't be renamed.
 */
export function orderedRules(given: readonly PathRule[]): readonly PathRule[] {
  const rules = new Map(given.map((rule) => [rule.path, rule]));
  for (const { path, access } of rules.values()) {
    if (access !== 'hide') continue;
    const above = ruleAbove(path, rules);
    if (above === undefined || above.access === 'scratch' || above.access === 'hide') rules.delete(path);
    if (above?.access !== 'write') continue;
    for (const between of pathsBetween(above.path, path))
      rules.set(between, { path: between, access: 'write', isFile: false });
  }
  return [...rules.values()].sort((a, b) => depth(a.path) - depth(b.path));
}

export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

function ruleAbove(path: string, rules: ReadonlyMap<string, PathRule>): PathRule | undefined {
  const parent = dirname(path);
  return parent === path ? undefined : (rules.get(parent) ?? ruleAbove(parent, rules));
}

function pathsBetween(above: string, below: string): readonly string[] {
  const parent = dirname(below);
  return parent === above ? [] : [...pathsBetween(above, parent), parent];
}

function depth(path: string): number {
  return path.split(sep).filter(Boolean).length;
}
