// What a server uses, as the operating system sees it. Linux only.
import { readdirSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { residentKb } from '../../bench/parts/processes.ts';
import type { SoakServer } from './soak-server.ts';

/** Taken while nobody uses the server. */
export interface Reading {
  readonly heapMb: number;
  readonly residentMb: number;
  readonly descriptors: number;
  readonly processes: number;
  readonly files: number;
}

export async function readAtRest(place: SoakServer): Promise<Reading> {
  const { pid } = place.server;
  await untilQuiet(pid);
  return {
    heapMb: (await place.heap()) / 1024 ** 2,
    residentMb: residentKb(pid) / 1024,
    descriptors: descriptorsOf(pid),
    processes: descendantsOf(pid).length,
    files: await filesIn(place.home),
  };
}

/** Waits until connections and processes stop getting fewer. */
async function untilQuiet(pid: number): Promise<void> {
  const stableMs = 5_000;
  let fewest = Number.POSITIVE_INFINITY;
  for (let since = Date.now(); Date.now() - since < stableMs; await pause(200)) {
    const now = descriptorsOf(pid) + descendantsOf(pid).length;
    if (now >= fewest) continue;
    fewest = now;
    since = Date.now();
  }
}

function descriptorsOf(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

export interface Descendant {
  readonly pid: number;
  readonly command: string;
}

export function descendantsOf(root: number): readonly Descendant[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    const [, parent] = /^\d+ \(.*\) \S (\d+)/.exec(contentOf(`/proc/${name}/stat`)) ?? [];
    if (parent !== undefined)
      children.set(Number(parent), [...(children.get(Number(parent)) ?? []), Number(name)]);
  }
  const below = (pid: number): readonly number[] =>
    (children.get(pid) ?? []).flatMap((child) => [child, ...below(child)]);
  return below(root).map((pid) => ({ pid, command: contentOf(`/proc/${pid}/cmdline`) }));
}

export function isRunning({ pid, command }: Descendant): boolean {
  return command !== '' && contentOf(`/proc/${pid}/cmdline`) === command;
}

async function filesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).length;
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
