// Checks a value against a schema and reports all problems at once, each in a sentence with its path. For an unknown
// key it suggests the known key that was probably meant.
import { closestMatch } from 'leven';
import type { z } from 'zod';
import { ClaudeCliError } from '../errors.ts';

export function validate<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  subject: string,
  knownKeys: (path: readonly PropertyKey[]) => readonly string[],
): z.output<Schema> {
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;

  const problems = parsed.error.issues.flatMap((issue) => toProblems(issue, knownKeys));
  const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`;
  const list = problems.map((problem) => `\n  - ${problem}`).join('');
  throw new ClaudeCliError('invalid_config', `The ${subject} has ${count}:${list}`, { problems });
}

type Issue = z.core.$ZodIssue;

function toProblems(issue: Issue, knownKeys: (path: readonly PropertyKey[]) => readonly string[]): string[] {
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => unknownKey([...issue.path, key], nearest(key, knownKeys(issue.path))));
    case 'invalid_type':
      return [`${place(issue.path)} must be ${article(issue.expected)}, not ${nameOf(issue.input)}.`];
    case 'invalid_value':
      return [`${place(issue.path)} must be one of ${issue.values.join(', ')}, not ${shown(issue.input)}.`];
    case 'invalid_union':
      return [unionProblem(issue)];
    case 'custom':
    case 'invalid_format':
    case 'too_small':
    case 'too_big':
    case 'not_multiple_of':
    case 'invalid_key':
    case 'invalid_element':
      return [`${place(issue.path)} ${plain(issue)}.`];
    default:
      return issue satisfies never;
  }
}

function unknownKey(path: readonly PropertyKey[], suggestion: string | undefined): string {
  const hint = suggestion === undefined ? '' : ` Did you mean ${suggestion}?`;
  return `${place(path)} is not a known key.${hint}`;
}

/** The known key that is closest by edits, if it is close at all. */
function nearest(key: string, known: readonly string[]): string | undefined {
  const byWord = new Map(known.map((candidate) => [simplify(candidate), candidate]));
  const word = simplify(key);
  const maxDistance = Math.max(2, Math.floor(word.length / 3));
  return byWord.get(closestMatch(word, [...byWord.keys()], { maxDistance }) ?? '');
}

/** `maxTurns`, `max-turns` and `max_turns` are the same word to a person. */
function simplify(key: string): string {
  return key
    .slice(0, 64)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '');
}

/** A union's own message says nothing: say what it accepts, or what is wrong inside the best matching branch. */
function unionProblem(issue: Extract<Issue, { code: 'invalid_union' }>): string {
  const branches = issue.errors.map((errors) => errors[0]).filter((error) => error !== undefined);
  const inside = branches.find((error) => error.path.length > 0 || error.code !== 'invalid_type');
  if (inside) return toProblems({ ...inside, path: [...issue.path, ...inside.path] }, () => [])[0] ?? '';
  const expected = branches.flatMap((error) =>
    error.code === 'invalid_type' ? [article(error.expected)] : [],
  );
  return `${place(issue.path)} must be ${expected.join(' or ')}, not ${nameOf(issue.input)}.`;
}

function plain(issue: Issue): string {
  if (issue.message.startsWith('must')) return issue.message;
  if (issue.code === 'too_small')
    return issue.inclusive === false ? `must be over ${issue.minimum}` : `must be at least ${issue.minimum}`;
  if (issue.code === 'too_big') return `must be at most ${issue.maximum}`;
  return issue.message;
}

function place(path: readonly PropertyKey[]): string {
  return path.length === 0 ? 'It' : path.map(String).join('.');
}

const names: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  function: 'a function',
  int: 'a whole number',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'text',
};

function article(expected: string): string {
  return names[expected] ?? expected;
}

function nameOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return Number.isInteger(value) ? 'a number' : `the number ${value}`;
  return names[typeof value] ?? typeof value;
}

function shown(value: unknown): string {
  return typeof value === 'string' && value.length <= 40 ? JSON.stringify(value) : nameOf(value);
}
