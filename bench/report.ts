// Prints figures and their goals as a table, and writes them as JSON. A missed goal makes the benchmark fail.
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';

export interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** What it is compared with. */
  readonly comparison?: string;
  readonly goal?: { readonly atMost: number } | { readonly atLeast: number };
}

export function report(name: string, figures: readonly Figure[]): void {
  const rows = figures.map(cellsOf);
  const table = [['figure', 'measured', 'goal', '', 'compared with'], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  for (const row of table) {
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
  }
  const missed = figures.filter(isMissed).length;
  if (missed > 0) {
    console.log(`${missed} of ${figures.filter(({ goal }) => goal).length} goals MISSED`);
    process.exitCode = 1;
  }
  const folder = join(process.cwd(), 'bench-results');
  mkdirSync(folder, { recursive: true });
  const machine = { node: process.version, cores: cpus().length };
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify({ machine, figures }, undefined, 2)}\n`);
}

/** One figure on one line, to print before the table is complete. */
export function lineOf(figure: Figure): string {
  return cellsOf(figure).filter(Boolean).join('  ');
}

function cellsOf(figure: Figure): readonly string[] {
  return [
    figure.what,
    `${round(figure.value)} ${figure.unit}`,
    goalText(figure),
    verdict(figure),
    figure.comparison ?? '',
  ];
}

export function percentile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function goalText({ goal }: Figure): string {
  if (!goal) return '';
  return 'atMost' in goal ? `≤ ${goal.atMost}` : `≥ ${goal.atLeast}`;
}

function verdict(figure: Figure): string {
  if (!figure.goal) return '';
  return isMissed(figure) ? 'MISSED' : 'met';
}

/** A figure that could not be measured counts as missed. */
function isMissed({ goal, value }: Figure): boolean {
  if (!goal) return false;
  return !('atMost' in goal ? value <= goal.atMost : value >= goal.atLeast);
}

function round(value: number): string {
  return Math.abs(value) >= 100 ? String(Math.round(value)) : value.toPrecision(3);
}
