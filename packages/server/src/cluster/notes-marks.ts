// Each machine leaves a mark in the folder of notes. Only servers that share the folder can read it, so the marks show
// whether they do.
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Returns what it wrote, which nobody can guess. */
export async function leaveMark(folder: string, machine: string): Promise<string> {
  const mark = randomUUID();
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, machine), mark);
  return mark;
}

/** Empty if there is none. */
export function readMark(folder: string, machine: string): Promise<string> {
  return readFile(join(folder, machine), 'utf8').catch(() => '');
}
