// The name of this machine among several servers.
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { replaceFile } from '../basics/atomic-file.ts';

/** Made up once and stored, because it must survive restarts and be unique. */
export async function machineName(file: string): Promise<string> {
  const known = await readFile(file, 'utf8').catch(() => '');
  if (known.trim() !== '') return known.trim();
  const name = `${hostname()}-${randomUUID().slice(0, 8)}`;
  await replaceFile(file, `${name}\n`);
  return name;
}
