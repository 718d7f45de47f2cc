// `parley restore`: brings a home back from a backup. Unpacks and checks the whole archive in a separate folder before
// it changes anything else. Existing data is moved aside, not deleted. A running server does that when it restarts.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, open, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join, posix } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { ParleyError } from '@parley/protocol';
import { pathExists } from '../basics/path-exists.ts';
import { type ReadFile, readTar, TarError } from '../basics/tar.ts';
import { databaseFile, isData, makePrivateFolder, recipesFile } from '../config/files.ts';
import { checkDatabase } from '../stores/sqlite/copies.ts';
import { lockFolder } from '../stores/sqlite/folder-lock.ts';
import { BackupDigest, BackupSummary, summaryName } from './backup-summary.ts';
import { moveIntoPlace, planRestore } from './staged-restore.ts';

export interface RestoreOptions {
  readonly home: { readonly dataDir: string };
  readonly file: string;
  /** Whether existing data may be moved aside. */
  readonly replace: boolean;
  /**
   * Asks the server that uses the home to move the unpacked backup into place, given the name of its folder. Resolves to
   * the folder that the old data will be in.
   */
  readonly askServer: (stage: string) => Promise<string>;
  readonly signal: AbortSignal;
}

export interface RestoreResult extends BackupSummary {
  /** The folder with the data that was there before. */
  readonly aside: string | undefined;
  /** The server has still to do it: it stops, moves the data and starts again. */
  readonly byServer: boolean;
}

const maxSummaryBytes = 64 * 1024;

export async function restoreHome(options: RestoreOptions): Promise<RestoreResult> {
  const { home, file, replace, askServer, signal } = options;
  const { dataDir } = home;
  if (!(await pathExists(file))) throw new ParleyError('not_found', `There is no file ${file}.`);
  await makePrivateFolder(dataDir);
  const hasData = (await readdir(dataDir)).some(isData);
  if (hasData && !replace)
    throw new ParleyError(
      'conflict',
      `There is data in ${dataDir}. Choose another --home, or add --replace to move it aside first.`,
    );
  const stage = await mkdtemp(join(dataDir, '.restoring-'));
  let isPlanned = false;
  try {
    const summary = await unpack(file, stage, signal);
    const restored = { dataDir: stage };
    for (const database of [databaseFile(restored), recipesFile(restored)])
      if (await pathExists(database)) checkDatabase(database);
    signal.throwIfAborted();
    const lock = await lockFolder(dataDir).catch(unlessInUse);
    if (!lock) {
      const aside = await askServer(basename(stage));
      isPlanned = true;
      return { ...summary, aside, byServer: true };
    }
    try {
      await planRestore(home, basename(stage));
      isPlanned = true;
      return { ...summary, aside: await moveIntoPlace(home), byServer: false };
    } finally {
      await lock.close();
    }
  } finally {
    if (!isPlanned) await rm(stage, { recursive: true, force: true });
  }
}

function unlessInUse(error: unknown): undefined {
  if (!(error instanceof ParleyError) || error.code !== 'conflict') throw error;
}

async function unpack(file: string, stage: string, signal: AbortSignal): Promise<BackupSummary> {
  const digest = new BackupDigest();
  let summary: BackupSummary | undefined;
  try {
    await pipeline(
      createReadStream(file),
      createGunzip(),
      async (bytes: AsyncIterable<Uint8Array>) => {
        for await (const entry of readTar(bytes)) {
          if (entry.path === summaryName) summary = await readSummary(entry);
          else await writeEntry(entry, stage, digest);
        }
      },
      { signal },
    );
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof TarError || error instanceof SyntaxError) throw damaged(file, error);
    // No backup of ours causes these, such as a path that appears twice or is both a file and a folder.
    const { code = '' } = error as NodeJS.ErrnoException;
    throw /^(Z_|EEXIST$|EISDIR$|ENOTDIR$|ENAMETOOLONG$)/.test(code) ? damaged(file, error) : error;
  }
  const { files, digest: expected } = digest.end();
  if (summary?.files !== files || summary.digest !== expected) throw damaged(file);
  return summary;
}

async function readSummary({ size, content }: ReadFile): Promise<BackupSummary | undefined> {
  if (size > maxSummaryBytes) return undefined;
  const pieces: Uint8Array[] = [];
  for await (const piece of content) pieces.push(piece);
  const parsed = BackupSummary.safeParse(JSON.parse(Buffer.concat(pieces).toString('utf8')));
  if (parsed.success) return parsed.data;
  throw new ParleyError(
    'invalid',
    'The backup was made by another version of Parley. Restore it with that one.',
  );
}

async function writeEntry(
  { path, size, mode, modifiedAt, content }: ReadFile,
  stage: string,
  digest: BackupDigest,
) {
  const isSafe = path !== '' && !/[\0\\]/.test(path) && posix.normalize(`/${path}`) === `/${path}`;
  if (!isSafe) throw new TarError(`The archive has an entry that leads elsewhere: ${path}`);
  const target = join(stage, path);
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  const handle = await open(target, 'wx', mode & 0o777);
  const hash = createHash('sha256');
  try {
    for await (const piece of content) {
      hash.update(piece);
      await handle.writeFile(piece);
    }
    await handle.sync();
    // The list of Claude Code sessions is sorted by these times.
    await handle.utimes(modifiedAt / 1_000, modifiedAt / 1_000);
  } finally {
    await handle.close();
  }
  digest.add(path, size, hash.digest('hex'));
}

function damaged(file: string, cause?: unknown): ParleyError {
  return new ParleyError(
    'invalid',
    `${file} is not a Parley backup, or it is incomplete or damaged. Nothing was changed.`,
    { cause },
  );
}
