// `parley backup`: writes a whole home to one archive, even while a server uses it. Copies each database as a
// consistent snapshot and reads other files as they are. Streams everything, so that memory use stays small.
import { createHash } from 'node:crypto';
import { type FileHandle, mkdtemp, open, opendir, readdir, realpath, rm } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { ParleyError } from '@parley/protocol';
import { createFile, isDraft } from '../basics/atomic-file.ts';
import { pathExists } from '../basics/path-exists.ts';
import { tarEnd, tarHeader, tarPadding } from '../basics/tar.ts';
import { databaseFile, isData, recipesFile, transcriptTextFile } from '../config/files.ts';
import { copiesFolder, copyDatabase } from '../stores/sqlite/copies.ts';
import { BackupDigest, backupFormat, summaryName } from './backup-summary.ts';

export interface BackupOptions {
  readonly home: { readonly dataDir: string };
  /** Must not exist yet. */
  readonly file: string;
  readonly version: string;
  readonly signal: AbortSignal;
}

export interface BackupResult {
  readonly files: number;
  /** Before compression. */
  readonly bytes: number;
}

export async function backupHome({ home, file, version, signal }: BackupOptions): Promise<BackupResult> {
  const target = resolve(file);
  const { dataDir } = home;
  if (!(await pathExists(dataDir)))
    throw new ParleyError('not_found', `There is no home at ${dataDir}. Choose one with --home.`);
  if (!(await readdir(dataDir)).some(isData))
    throw new ParleyError(
      'not_found',
      `There is nothing in ${dataDir} yet. Choose another --home. To back up the demo, set PARLEY_DEMO=1.`,
    );
  if (await isInside(dirname(target), dataDir))
    throw new ParleyError(
      'invalid',
      `Choose a file outside of ${dataDir}, the folder that is being backed up.`,
    );
  if (await pathExists(target)) throw alreadyExists(target);
  const digest = new BackupDigest();
  const copies = await mkdtemp(join(dirname(target), '.parley-backup-'));
  try {
    const isNew = await createFile(target, (draft) =>
      pipeline(
        Readable.from(archive(home, copies, version, digest)),
        createGzip(),
        async (pieces: AsyncIterable<Buffer>) => {
          for await (const piece of pieces) await draft.writeFile(piece);
        },
        { signal },
      ),
    );
    if (!isNew) throw alreadyExists(target);
    return { files: digest.files, bytes: digest.bytes };
  } finally {
    await rm(copies, { recursive: true, force: true });
  }
}

function alreadyExists(target: string): ParleyError {
  return new ParleyError('conflict', `${target} already exists. Choose another name, or remove it.`);
}

type Home = BackupOptions['home'];

async function* archive(
  home: Home,
  copies: string,
  version: string,
  digest: BackupDigest,
): AsyncGenerator<Uint8Array> {
  for (const database of [databaseFile(home), recipesFile(home)]) {
    if (!(await pathExists(database))) continue;
    const copy = join(copies, basename(database));
    copyDatabase(database, copy);
    yield* entry(copy, basename(database), digest);
    await rm(copy);
  }
  for await (const file of filesOf(home, home.dataDir))
    yield* entry(file, relative(home.dataDir, file).split(sep).join('/'), digest);
  const summary = Buffer.from(JSON.stringify({ format: backupFormat, version, ...digest.end() }));
  yield tarHeader({ path: summaryName, size: summary.length, mode: 0o600, modifiedAt: Date.now() });
  yield summary;
  yield tarPadding(summary.length);
  yield tarEnd;
}

/** Reads only what the file had when it was opened. Anything added since is for the next backup. */
async function* entry(file: string, path: string, digest: BackupDigest): AsyncGenerator<Uint8Array> {
  const handle = await openFile(file);
  if (!handle) return;
  try {
    const { size, mode, mtimeMs: modifiedAt } = await handle.stat();
    yield tarHeader({ path, size, mode, modifiedAt });
    const hash = createHash('sha256');
    let read = 0;
    const content = size === 0 ? [] : handle.createReadStream({ autoClose: false, start: 0, end: size - 1 });
    for await (const piece of content as AsyncIterable<Buffer>) {
      hash.update(piece);
      read += piece.length;
      yield piece;
    }
    if (read !== size)
      throw new ParleyError('conflict', `${file} became shorter while it was read. Try again.`);
    yield tarPadding(size);
    digest.add(path, size, hash.digest('hex'));
  } finally {
    await handle.close();
  }
}

/** Returns undefined if the file is gone: a running server also deletes files. */
async function openFile(file: string): Promise<FileHandle | undefined> {
  try {
    return await open(file, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Regular files only: links lead elsewhere, and sockets can't be stored. */
async function* filesOf(home: Home, folder: string): AsyncGenerator<string> {
  const excluded = excludedPaths(home);
  for await (const found of await opendir(folder)) {
    const path = join(folder, found.name);
    if (excluded.has(path) || isDraft(found.name)) continue;
    if (folder === home.dataDir && !isData(found.name)) continue;
    if (found.isDirectory()) yield* filesOf(home, path);
    else if (found.isFile()) yield path;
  }
}

/** Databases, which are copied separately or can be rebuilt. */
function excludedPaths(home: Home): ReadonlySet<string> {
  const databases = [databaseFile(home), recipesFile(home), transcriptTextFile(home)];
  return new Set([
    ...databases.flatMap((file) => [file, `${file}-wal`, `${file}-shm`, `${file}-journal`]),
    copiesFolder(databaseFile(home)),
  ]);
}

async function isInside(folder: string, parent: string): Promise<boolean> {
  const [inner, outer] = await Promise.all([realpath(folder), realpath(parent)]).catch(() => {
    throw new ParleyError('not_found', `There is no folder ${folder}. Create it, or choose another one.`);
  });
  return inner === outer || inner.startsWith(outer + sep);
}
