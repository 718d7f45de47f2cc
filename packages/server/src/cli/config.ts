// `parley config`: shows the effective settings and where each one comes from. Secrets stay hidden.
import { allSettings, type LoadedConfig, loadProcessConfig } from '../config/load.ts';
import { formatProblems, originText } from '../config/problem.ts';
import { valueAt } from '../config/tree.ts';
import type { CommandLine } from './command-line.ts';

export function showConfig(line: CommandLine): number {
  const loaded = loadProcessConfig(line.flags);
  process.stdout.write(`${line.json ? asJson(loaded) : asTable(loaded)}\n`);
  if (loaded.problems.length === 0) return 0;
  if (!line.json) process.stderr.write(`\n${formatProblems(loaded.problems)}\n`);
  return 1;
}

function rowsOf({ config, origins }: LoadedConfig) {
  return allSettings.map(({ key, path }) => ({
    key,
    value: valueAt(config, path),
    origin: origins.get(key) ?? { from: 'default' as const },
  }));
}

function asJson(loaded: LoadedConfig): string {
  const settings = Object.fromEntries(
    rowsOf(loaded).map(({ key, value, origin }) => [key, { value: value ?? null, origin }]),
  );
  const { file = null, problems, hints } = loaded;
  return JSON.stringify({ file, settings, problems, hints }, undefined, 2);
}

function asTable(loaded: LoadedConfig): string {
  const rows = rowsOf(loaded).map(
    ({ key, value, origin }) => [key, valueText(value), originText(origin)] as const,
  );
  const keyWidth = Math.max(...rows.map(([key]) => key.length));
  const valueWidth = Math.min(48, Math.max(...rows.map(([, value]) => value.length)));
  const lines = rows.map(
    ([key, value, from]) => `${key.padEnd(keyWidth)}  ${value.padEnd(valueWidth)}  ${from}`,
  );
  const file = loaded.file ? `Configuration file: ${loaded.file}` : 'No configuration file.';
  return [file, '', ...lines, ...loaded.hints.map((hint) => `\n! ${hint}`)].join('\n');
}

function valueText(value: unknown): string {
  if (value === undefined) return '–';
  if (typeof value === 'string') return value.replaceAll('\n', '\\n');
  return JSON.stringify(value).replace(/^"(.*)"$/, '$1');
}
