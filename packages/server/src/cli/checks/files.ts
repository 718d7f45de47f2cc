// Can Parley write its data, and is every vault usable?
import { constants } from 'node:fs';
import { access, lstat, realpath, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { type Sentence, say } from '@parley/protocol';
import { broken, type Finding, type HealthCheck, ok, warning } from './check.ts';

const mebibyte = 1024 * 1024;

export const home: HealthCheck = {
  name: say`Home`,
  run: async ({ config: { dataDir } }) => {
    const folder = await existingParent(dataDir);
    const proof = join(folder, `.doctor-${process.pid}`);
    try {
      await writeFile(proof, '', { flag: 'wx' });
      await rm(proof);
    } catch (error) {
      const fix = say`Give yourself permission to write there, or set PARLEY_HOME to another folder.`;
      const code = codeOf(error);
      return [broken(say`${folder} is not writable (${code})`, fix)];
    }
    if (folder !== dataDir) return [ok(say`${dataDir} is created on the first start`)];
    const { mode } = await stat(dataDir);
    return (mode & 0o077) === 0
      ? [ok(say`${dataDir}`)]
      : [warning(say`other users of this machine can read ${dataDir}`, say`chmod 700 '${dataDir}'`)];
  },
};

export const disk: HealthCheck = {
  name: say`Disk`,
  run: async ({ config: { dataDir } }) => {
    const { bavail, bsize } = await statfs(await existingParent(dataDir));
    const free = (bavail * bsize) / mebibyte;
    const size = free >= 1024 ? `${(free / 1024).toFixed(1)} GB` : `${Math.floor(free)} MB`;
    const detail = say`${size} free`;
    const fix = say`Free up space, or set PARLEY_HOME to a folder on another disk.`;
    if (free < 1) return [broken(say`it is full, so Parley can only show what it has stored`, fix)];
    if (free < 20) return [broken(detail, fix)];
    return [free < 500 ? warning(detail, fix) : ok(detail)];
  },
};

export const vaults: HealthCheck = {
  name: say`Vaults`,
  run: async ({ config: { vaultRoot, people } }) =>
    Promise.all(people.map((person) => vault(vaultRoot, person))),
};

async function vault(root: string, person: string): Promise<Finding<Sentence>> {
  const folder = join(root, person);
  try {
    const entry = await lstat(folder);
    if (entry.isSymbolicLink() && !(await staysBelow(root, folder))) {
      return broken(
        say`${folder} is a link that leads outside of the vaults`,
        say`Replace it with a folder, or set PARLEY_VAULT_ROOT.`,
      );
    }
    if (!(await stat(folder)).isDirectory())
      return broken(say`${folder} is not a folder`, say`Move it away.`);
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return ok(say`${folder}`);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT') return missing(folder);
    return broken(
      say`${folder} is not usable (${code})`,
      say`Give yourself permission to read and write there.`,
    );
  }
}

async function missing(folder: string): Promise<Finding<Sentence>> {
  try {
    await access(await existingParent(folder), constants.W_OK);
    return ok(say`${folder} is created on first use`);
  } catch {
    return broken(
      say`${folder} does not exist and can't be created`,
      say`Run mkdir -p '${folder}', or set PARLEY_VAULT_ROOT.`,
    );
  }
}

async function staysBelow(root: string, folder: string): Promise<boolean> {
  try {
    return (await realpath(folder)).startsWith((await realpath(root)) + sep);
  } catch {
    return false;
  }
}

async function existingParent(folder: string): Promise<string> {
  try {
    await stat(folder);
    return folder;
  } catch {
    const parent = dirname(folder);
    return parent === folder ? folder : existingParent(parent);
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown error';
}
