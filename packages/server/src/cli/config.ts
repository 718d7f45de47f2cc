// `parley config`: shows the effective settings and where each one comes from. Secrets stay hidden.
import { entriesOf, isCollection } from '../config/collections.ts';
import { loadProcessConfig } from '../config/load.ts';
import { formatProblem, formatProblems, type Origin, originText } from '../config/problem.ts';
import type { LoadedConfig } from '../config/resolve.ts';
import { allSettings } from '../config/schema.ts';
import { valueAt } from '../config/tree.ts';
import type { CommandLine } from './command-line.ts';

export function showConfig(line: CommandLine): number {
  const loaded = loadProcessConfig(line.flags);
  process.stdout.write(`${line.json ? asJson(loaded) : asTable(loaded)}\n`);
  if (loaded.problems.length === 0) return 0;
  if (!line.json) process.stderr.write(`\n${formatProblems(loaded.problems)}\n`);
  return 1;
}

interface Row {
  readonly key: string;
  readonly value: unknown;
  readonly origin: Origin;
  /** The entries of a collection, if they come from different places. */
  readonly entries: readonly Row[];
}

function rowsOf({ config, origins }: LoadedConfig): readonly Row[] {
  const row = (key: string, value: unknown): Row => ({
    key,
    value,
    origin: origins.get(key) ?? { from: 'default' },
    entries: [],
  });
  return allSettings.map(({ key, path }) => {
    const value = valueAt(config, path);
    const entries = isCollection(key)
      ? [...entriesOf(value)].map(([name, entry]) => row(`${key}.${name}`, entry))
      : [];
    const places = new Set(entries.map(({ origin }) => originText(origin)));
    return { ...row(key, value), entries: places.size > 1 ? entries : [] };
  });
}

function asJson(loaded: LoadedConfig): string {
  const settings = Object.fromEntries(
    rowsOf(loaded)
      .flatMap((row) => [row, ...row.entries])
      .map(({ key, value, origin }) => [key, { value: value ?? null, origin }]),
  );
  const { file = null, problems, ignored, hints } = loaded;
  return JSON.stringify({ file, settings, problems, ignored, hints }, undefined, 2);
}

function asTable(loaded: LoadedConfig): string {
  const rows = rowsOf(loaded)
    .flatMap((row) => (row.entries.length > 0 ? row.entries : [row]))
    .map(({ key, value, origin }) => [key, valueText(value), originText(origin)] as const);
  const keyWidth = Math.max(...rows.map(([key]) => key.length));
  const valueWidth = Math.min(48, Math.max(...rows.map(([, value]) => value.length)));
  const lines = rows.map(
    ([key, value, from]) => `${key.padEnd(keyWidth)}  ${value.padEnd(valueWidth)}  ${from}`,
  );
  const file = loaded.file ? `Configuration file: ${loaded.file}` : 'No configuration file.';
  const remarks = [
    ...loaded.hints,
    ...loaded.ignored.map((problem) => `Not used: ${formatProblem(problem)}`),
  ];
  return [file, '', ...lines, ...remarks.map((remark) => `\n! ${remark}`)].join('\n');
}

function valueText(value: unknown): string {
  if (value === undefined) return '–';
  if (typeof value === 'string') return value.replaceAll('\n', '\\n');
  return JSON.stringify(value).replace(/^"(.*)"$/, '$1');
}
