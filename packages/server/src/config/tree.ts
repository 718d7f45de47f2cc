// Reads and changes values deep inside plain JSON objects.

import { isRecord } from '../basics/is-record.ts';

export type Tree = Record<string, unknown>;

export function valueAt(tree: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, step) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, step)
        ? (value as Record<PropertyKey, unknown>)[step]
        : undefined,
    tree,
  );
}

/** Returns a copy with the value at the path, replacing whatever is in the way. */
export function withValue(tree: Tree, path: readonly string[], value: unknown): Tree {
  const [step, ...rest] = path;
  if (step === undefined) return tree;
  const inner = Object.hasOwn(tree, step) ? tree[step] : undefined;
  return {
    ...tree,
    [step]: rest.length === 0 ? value : withValue(isRecord(inner) ? inner : {}, rest, value),
  };
}

/** Returns a copy without the value at the path. */
export function withoutValue(tree: Tree, path: readonly string[]): Tree {
  const [step, ...rest] = path;
  if (step === undefined) return {};
  const inner = valueAt(tree, [step]);
  if (rest.length > 0) return isRecord(inner) ? withValue(tree, [step], withoutValue(inner, rest)) : tree;
  return Object.fromEntries(Object.entries(tree).filter(([key]) => key !== step));
}
