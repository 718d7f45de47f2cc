// What is wrong with a configuration, described for the person who has to fix it.
import { say } from '@parley/protocol';
import type { z } from 'zod';
import { nearest } from './nearest.ts';
import { keysAt, type Setting } from './setting.ts';
import { valueAt } from './tree.ts';

/** Where a value of the configuration came from. */
export type Origin =
  | { readonly from: 'default' }
  | { readonly from: 'demo' }
  /** Set in the app; `name` is the file it is stored in. */
  | { readonly from: 'app'; readonly name: string }
  | { readonly from: 'file'; readonly name: string }
  | { readonly from: 'environment'; readonly name: string }
  | { readonly from: 'flag'; readonly name: string };

export interface Problem {
  /** The key with its path; empty if the problem is the whole file. */
  readonly key: string;
  readonly origin: Origin;
  readonly message: string;
  readonly hint: string;
}

/** Turns one issue of the schema into problems. */
export function problemsOf(
  issue: z.core.$ZodIssue,
  context: {
    readonly schema: z.ZodType;
    readonly tree: unknown;
    readonly setting: Setting | undefined;
    readonly origin: Origin;
  },
): readonly Problem[] {
  const { schema, tree, setting, origin } = context;
  if (issue.code === 'unrecognized_keys') {
    const known = keysAt(schema, issue.path) ?? [];
    return issue.keys.map((key) => ({
      key: keyText([...issue.path, key]),
      origin,
      message: 'unknown key',
      hint: unknownKeyHint(key, known, issue.path),
    }));
  }
  const value = valueAt(tree, issue.path);
  // For a list or an object of the right kind, "found a list" would say nothing.
  const isRightKind = typeof value === 'object' && value !== null && issue.code !== 'invalid_type';
  const found = isRightKind
    ? undefined
    : foundText(value, { hidden: setting === undefined || setting.secret === true });
  const expected = expectation(issue);
  return [
    {
      key: keyText(issue.path),
      origin,
      message: found === undefined ? expected : say`${expected}, found ${found}`,
      hint:
        setting?.hint ?? setting?.meaning ?? 'See docs/configuration.md for the keys that are allowed here.',
    },
  ];
}

/** The place as messages and tables show it. */
export function originText(origin: Origin): string {
  switch (origin.from) {
    case 'default':
      return 'default';
    case 'demo':
      return 'demo mode';
    case 'app':
      return 'app';
    case 'file':
    case 'environment':
      return origin.name;
    case 'flag':
      return `--${origin.name}`;
    default:
      return origin satisfies never;
  }
}

/** One line says what is wrong, one what to do. */
export function formatProblem({ key, origin, message, hint }: Problem): string {
  const where = key === '' ? originText(origin) : `${key} (${originText(origin)})`;
  return `${where}: ${message}\n    ${hint}`;
}

export function formatProblems(problems: readonly Problem[]): string {
  const title = problems.length === 1 ? 'a problem' : `${problems.length} problems`;
  return [`The configuration has ${title}:`, '', ...problems.map((one) => `  ${formatProblem(one)}`)].join(
    '\n',
  );
}

function expectation(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return kinds[issue.expected] ?? `expected ${issue.expected}`;
    case 'too_small':
      if (issue.origin === 'string') return say`expected a string that is not empty`;
      if (issue.origin === 'array') return say`expected at least one entry`;
      return say`expected ${String(issue.minimum)} or more`;
    case 'too_big':
      return say`expected ${String(issue.maximum)} or less`;
    case 'invalid_key':
      return issue.issues[0]?.message ?? issue.message;
    case 'invalid_value':
      return say`expected one of ${issue.values.map(String).join(', ')}`;
    default:
      return issue.message;
  }
}

const kinds: Readonly<Record<string, string>> = {
  string: say`expected a string`,
  number: say`expected a number`,
  int: say`expected a whole number`,
  boolean: say`expected true or false`,
  array: say`expected a list`,
  object: say`expected an object`,
};

/** Shows short values only: a long one may be a secret in the wrong place. */
function foundText(value: unknown, { hidden }: { hidden: boolean }): string | undefined {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  if (value === '') return say`an empty string`;
  if (hidden) return `a ${typeof value} (hidden)`;
  if (typeof value === 'string' && value.length > 32) return say`a string of ${value.length} characters`;
  return JSON.stringify(value);
}

function unknownKeyHint(key: string, known: readonly string[], path: readonly PropertyKey[]): string {
  const meant = nearest(key, known);
  if (meant) return say`Did you mean ${keyText([...path, meant])}?`;
  return say`Known keys: ${known.join(', ')}.`;
}

function keyText(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, step) =>
      typeof step === 'number' ? `${text}[${step}]` : text ? `${text}.${String(step)}` : String(step),
    '',
  );
}
