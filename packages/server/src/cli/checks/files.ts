// Can Parley write its data, and is every vault usable?
import { constants } from 'node:fs';
import { access, lstat, realpath, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { broken, type Check, type Finding, ok, warning } from './check.ts';

const mebibyte = 1024 * 1024;

export const home: Check = {
  name: 'Home',
  run: async ({ config: { dataDir } }) => {
    const folder = await existingParent(dataDir);
    const proof = join(folder, `.doctor-${process.pid}`);
    try {
      await writeFile(proof, '', { flag: 'wx' });
      await rm(proof);
    } catch (error) {
      const fix = 'Give yourself permission to write there, or set PARLEY_HOME to another folder.';
      return [broken(`${folder} is not writable (${codeOf(error)})`, fix)];
    }
    if (folder !== dataDir) return [ok(`${dataDir} is created on the first start`)];
    const { mode } = await stat(dataDir);
    return (mode & 0o077) === 0
      ? [ok(dataDir)]
      : [warning(`other users of this machine can read ${dataDir}`, `chmod 700 '${dataDir}'`)];
  },
};

export const disk: Check = {
  name: 'Disk',
  run: async ({ config: { dataDir } }) => {
    const { bavail, bsize } = await statfs(await existingParent(dataDir));
    const free = (bavail * bsize) / mebibyte;
    const detail = `${free >= 1024 ? `${(free / 1024).toFixed(1)} GB` : `${Math.floor(free)} MB`} free`;
    const fix = 'Free up space, or set PARLEY_HOME to a folder on another disk.';
    if (free < 1) return [broken(`it is full, so Parley can only show what it has stored`, fix)];
    if (free < 20) return [broken(detail, fix)];
    return [free < 500 ? warning(detail, fix) : ok(detail)];
  },
};

export const vaults: Check = {
  name: 'Vaults',
  run: async ({ config: { vaultRoot, people } }) =>
    Promise.all(people.map((person) => vault(vaultRoot, person))),
};

async function vault(root: string, person: string): Promise<Finding> {
  const folder = join(root, person);
  try {
    const entry = await lstat(folder);
    if (entry.isSymbolicLink() && !(await staysBelow(root, folder))) {
      return broken(
        `${folder} is a link that leads outside of the vaults`,
        `Replace it with a folder, or set PARLEY_VAULT_ROOT.`,
      );
    }
    if (!(await stat(folder)).isDirectory()) return broken(`${folder} is not a folder`, 'Move it away.');
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return ok(folder);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT') return missing(folder);
    return broken(`${folder} is not usable (${code})`, 'Give yourself permission to read and write there.');
  }
}

async function missing(folder: string): Promise<Finding> {
  try {
    await access(await existingParent(folder), constants.W_OK);
    return ok(`${folder} is created on first use`);
  } catch {
    return broken(
      `${folder} does not exist and can't be created`,
      `mkdir -p '${folder}', or set PARLEY_VAULT_ROOT.`,
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
