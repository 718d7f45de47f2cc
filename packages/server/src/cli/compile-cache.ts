// Lets Node cache the compiled code of the server, which makes the next start faster. Node 20 can't do that.
import { existsSync, mkdirSync } from 'node:fs';
import nodeModule from 'node:module';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { readEnvironment } from '../config/environment.ts';
import { compileCacheFolder } from '../config/files.ts';

/** Since Node 22.1 and 22.10. */
interface CompileCache {
  readonly enableCompileCache?: (folder: string) => unknown;
  readonly flushCompileCache?: () => void;
}

const cache = nodeModule as object as CompileCache;
/** The cache should include what a server loads right after it is ready. */
const settleMs = 5_000;

/** Call it before the code is loaded. Skips a home that doesn't exist yet: the server makes it a private folder. */
export function enableCompileCache(givenHome: string | undefined): void {
  if (!cache.enableCompileCache) return;
  const home = resolve(givenHome ?? readEnvironment()['PARLEY_HOME'] ?? join(homedir(), '.parley'));
  if (!existsSync(home)) return;
  const folder = compileCacheFolder(home);
  try {
    // Node runs what is in there, so nobody else may write to it.
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    cache.enableCompileCache(folder);
  } catch {
    // Without the cache, the start only takes longer.
  }
}

/** Call it when the server is ready. Node writes the cache when it exits, but not if it is killed. */
export function saveCompileCache(): void {
  setTimeout(() => cache.flushCompileCache?.(), settleMs).unref();
}
