// Finds out what the program would run in a folder: reads the configuration that it would use there, without running
// any of it. The digest covers every file that counts, including scripts in the folder that a command names.
import { createHash, type Hash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join, resolve, sep } from 'node:path';
import type { FolderRun } from '@parley/protocol';
import { isRecord } from '../../../basics/is-record.ts';
import { pathExists } from '../../../basics/path-exists.ts';
import { parseJson } from '../../../content/parse-json.ts';
import { placesOf } from './places.ts';
import { type Run, serverRuns, settingsRuns } from './settings-runs.ts';

export interface FolderRuns {
  readonly runs: readonly FolderRun[];
  /** The hash of everything in `runs`, in full. */
  readonly digest: string;
  /** There is more than can be checked, so nobody can know what the folder would run. */
  readonly isTooMuch: boolean;
  /** Files with instructions for the model. */
  readonly instructions: readonly string[];
}

const limits = { fileBytes: 1024 * 1024, allBytes: 16 * 1024 * 1024, files: 2_000, depth: 8 };

export async function folderRuns(folder: string, ownFolder: string): Promise<FolderRuns> {
  const places = await placesOf(folder, ownFolder);
  // All at once: one lookup after the other takes long on a busy server, and most of these don't exist.
  const [settings, servers, claude, instructions] = await Promise.all([
    existing(places.settings.map((place) => join(place, '.claude'))),
    existing(places.above.map((place) => join(place, '.mcp.json'))),
    existing(places.claude.map((place) => join(place, '.claude'))),
    instructionFiles(places.above, ownFolder),
  ]);
  const reading = new Reading(folder);
  for (const place of settings) {
    await reading.json(join(place, 'settings.json'), settingsRuns);
    await reading.json(join(place, 'settings.local.json'), settingsRuns);
    await reading.whole(join(place, 'scheduled_tasks.json'), 'schedule');
    await reading.whole(join(place, 'launch.json'), 'setting');
    // All of them, because a command such as `cd .claude && hooks/x.sh` names no path that can be resolved here.
    if (reading.hasHooks) await reading.scripts(join(place, 'hooks'));
  }
  for (const file of servers) await reading.json(file, serverRuns);
  for (const place of claude) {
    await reading.texts(join(place, 'commands'), 'command');
    await reading.texts(join(place, 'agents'), 'agent');
    await reading.texts(join(place, 'skills'), 'skill');
    for (const name of ['workflows', 'routines']) await reading.all(join(place, name), 'workflow');
  }
  return { ...reading.result(), instructions };
}

async function existing(paths: readonly string[]): Promise<readonly string[]> {
  const exist = await Promise.all(paths.map(pathExists));
  return paths.filter((_, at) => exist[at]);
}

class Reading {
  readonly #folder: string;
  readonly #runs: FolderRun[] = [];
  readonly #hash: Hash = createHash('sha256');
  readonly #named = new Set<string>();
  #files = 0;
  #bytes = 0;
  #isTooMuch = false;

  constructor(folder: string) {
    this.#folder = folder;
  }

  get hasHooks(): boolean {
    return this.#runs.some(({ kind }) => kind === 'hook');
  }

  result(): Omit<FolderRuns, 'instructions'> {
    return { runs: this.#runs, digest: this.#hash.digest('hex'), isTooMuch: this.#isTooMuch };
  }

  /** A file that the program reads as JSON. If it can't be parsed, it counts too: the program may be more tolerant. */
  async json(file: string, runsOf: (content: Readonly<Record<string, unknown>>) => Run[]): Promise<void> {
    const content = await this.#read(file);
    if (content === undefined) return;
    const parsed = parse(content);
    const unreadable: Run = { kind: 'unreadable', name: '', detail: '', source: content.toString('base64') };
    for (const run of parsed ? runsOf(parsed) : [unreadable]) {
      this.#add(run, file);
      this.#hash.update(JSON.stringify([file, run]));
      await this.#addNamed(run);
    }
  }

  /** A file that counts as a whole. */
  async whole(file: string, kind: FolderRun['kind']): Promise<void> {
    const content = await this.#read(file);
    if (content === undefined) return;
    this.#add({ kind, name: basename(file), detail: '' }, file);
    this.#cover(file, content);
  }

  async all(folder: string, kind: FolderRun['kind']): Promise<void> {
    for (const file of await this.#filesIn(folder)) await this.whole(file, kind);
  }

  async scripts(folder: string): Promise<void> {
    for (const file of await this.#filesIn(folder)) await this.#script(file);
  }

  /** Markdown counts only if it makes the program run or allow something. Any other file always counts. */
  async texts(folder: string, kind: 'command' | 'agent' | 'skill'): Promise<void> {
    for (const file of await this.#filesIn(folder)) {
      const content = await this.#read(file);
      if (content === undefined) continue;
      const isText = file.endsWith('.md');
      if (isText && !runsSomething(content.toString('utf8'))) continue;
      this.#add({ kind, name: file.slice(folder.length + 1), detail: '' }, file);
      this.#cover(file, content);
    }
  }

  #add({ kind, name, detail }: Omit<Run, 'source'>, file: string): void {
    this.#runs.push({ kind, name, detail, file });
  }

  #cover(file: string, content: Buffer): void {
    this.#hash.update(JSON.stringify([file, createHash('sha256').update(content).digest('hex')]));
  }

  /** Covers scripts in the folder that a command names: changing one of them changes what runs. */
  async #addNamed({ kind, detail }: Run): Promise<void> {
    if (kind !== 'hook' && kind !== 'helper' && kind !== 'mcp') return;
    const command = detail.replaceAll(/\$\{?CLAUDE_PROJECT_DIR\}?/g, this.#folder).replaceAll(/["']/g, '');
    for (const word of command.split(/[\s;|&<>()=,]+/).slice(0, 100)) {
      const file = resolve(this.#folder, word);
      if (word !== '' && file.startsWith(`${this.#folder}${sep}`)) await this.#script(file);
    }
  }

  async #script(file: string): Promise<void> {
    if (this.#named.has(file)) return;
    this.#named.add(file);
    const content = await this.#read(file);
    if (content) this.#cover(file, content);
  }

  /** Undefined if there is no such file, or if it is too much. Reads only regular files: a pipe could block forever. */
  async #read(file: string): Promise<Buffer | undefined> {
    const found = await stat(file).catch(() => undefined);
    if (!found?.isFile()) return undefined;
    this.#files += 1;
    this.#bytes += found.size;
    const fits =
      found.size <= limits.fileBytes && this.#bytes <= limits.allBytes && this.#files <= limits.files;
    if (!fits) this.#isTooMuch = true;
    return fits ? readFile(file).catch(() => Buffer.from('')) : undefined;
  }

  async #filesIn(folder: string, depth = 0): Promise<string[]> {
    const names = await readdir(folder).catch(() => []);
    if (names.length > limits.files || depth > limits.depth) this.#isTooMuch = true;
    if (this.#isTooMuch) return [];
    const files: string[] = [];
    for (const name of names.toSorted(byCode)) {
      const path = join(folder, name);
      const found = await stat(path).catch(() => undefined);
      if (found?.isDirectory()) files.push(...(await this.#filesIn(path, depth + 1)));
      else if (found?.isFile()) files.push(path);
    }
    return files;
  }
}

/** Ignores the machine's language, because the digest must not depend on it. */
function byCode(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** Only objects count, as for the program. */
function parse(content: Buffer): Readonly<Record<string, unknown>> | undefined {
  const parsed = parseJson(content.toString('utf8'));
  return isRecord(parsed) ? parsed : undefined;
}

/** Commands in the text run as soon as it is used, and these header keys run commands or allow tools. */
function runsSomething(text: string): boolean {
  const [, header = ''] = /^\s*---\r?\n([\s\S]*?)\n---/.exec(text) ?? [];
  return (
    /!`|```!/.test(text) || /allowed-?tools|hooks|mcp-?servers|permission-?mode|shell|plugin|\\/i.test(header)
  );
}

async function instructionFiles(folders: readonly string[], ownFolder: string): Promise<string[]> {
  const names = ['CLAUDE.md', 'CLAUDE.local.md', join('.claude', 'CLAUDE.md')];
  const files = folders.flatMap((folder) => names.map((name) => join(folder, name)));
  const found = await Promise.all(files.map((file) => stat(file).catch(() => undefined)));
  return files.filter((file, at) => found[at]?.isFile() && !file.startsWith(`${ownFolder}${sep}`));
}
