// Lets Node keep the compiled code of the server, so that the next start does not have to compile it again. Node 20 can't.
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
/** What a server loads right after it is ready belongs to the start. */
const settleMs = 5_000;

/** Call it before the code is loaded. A home that doesn't exist yet is left to the start, which makes it private. */
export function keepCompiledCode(givenHome: string | undefined): void {
  if (!cache.enableCompileCache) return;
  const home = resolve(givenHome ?? readEnvironment()['PARLEY_HOME'] ?? join(homedir(), '.parley'));
  if (!existsSync(home)) return;
  const folder = compileCacheFolder(home);
  try {
    // Node runs what is in there, so nobody else may write to it.
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    cache.enableCompileCache(folder);
  } catch {
    // A start without it only takes longer.
  }
}

/** Call it when the server is ready. A server that is killed would not write what it has compiled. */
export function saveCompiledCode(): void {
  setTimeout(() => cache.flushCompileCache?.(), settleMs).unref();
}
