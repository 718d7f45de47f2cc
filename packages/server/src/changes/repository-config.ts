// The few settings of a repository that we adopt: how it stores files, who commits, and where its remotes are. Read from the
// file itself without following includes; everything else in it is ignored.

import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { runGit } from '../folders/run-git.ts';

export interface RepositoryConfig {
  /** The content of our own configuration file. */
  readonly file: string;
  readonly userName: string | undefined;
  readonly userEmail: string | undefined;
  /** The address of a remote. */
  remote(name: string): string | undefined;
  /** Where a branch is pushed to and pulled from. */
  upstream(branch: string): { readonly remote: string; readonly branch: string } | undefined;
}

const adopted = /^core\.(filemode|autocrlf|eol|ignorecase|symlinks|precomposeunicode)$/;
const plain = /^(true|false|input|lf|crlf|native)$/i;
const largest = 256 * 1024;

export async function readConfig(
  common: string,
  cwd: string,
  signal?: AbortSignal,
): Promise<RepositoryConfig> {
  const path = join(common, 'config');
  const found = await lstat(path).catch(() => undefined);
  const isUsable = found?.isFile() && found.size <= largest;
  const args = ['config', '--file', path, '--no-includes', '-z', '--list'];
  const listed = isUsable ? (await runGit({ args, cwd, signal })).output.toString() : '';
  const values = new Map<string, string>();
  for (const entry of listed.split('\0')) {
    const end = entry.indexOf('\n');
    // A key without a value means true.
    if (entry !== '')
      values.set(end < 0 ? entry : entry.slice(0, end), end < 0 ? 'true' : entry.slice(end + 1));
  }
  const isSha256 = values.get('extensions.objectformat') === 'sha256';
  const core = [...values].filter(([key, value]) => adopted.test(key) && plain.test(value));
  const file = [
    '[core]',
    `repositoryformatversion = ${isSha256 ? 1 : 0}`,
    'bare = false',
    ...core.map(([key, value]) => `${key.slice('core.'.length)} = ${value}`),
    ...(isSha256 ? ['[extensions]', 'objectformat = sha256'] : []),
    '[gc]',
    'auto = 0',
    '[maintenance]',
    'auto = false',
    '',
  ].join('\n');
  return {
    file,
    userName: values.get('user.name'),
    userEmail: values.get('user.email'),
    remote: (name) => values.get(`remote.${name}.url`),
    upstream(branch) {
      const remote = values.get(`branch.${branch}.remote`);
      const merge = values.get(`branch.${branch}.merge`)?.replace(/^refs\/heads\//, '');
      return remote !== undefined && merge !== undefined ? { remote, branch: merge } : undefined;
    },
  };
}
