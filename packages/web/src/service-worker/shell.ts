// Keeps the app itself for when there is no network: its page and the files of this version. A version is kept as a
// whole or not at all, so a page never loads files of another one.
import { base, cachePrefix, reach } from './scope.ts';

export interface Shell {
  readonly version: string;
  /** The script that the page of this version starts with. */
  readonly entry: string;
  /** Relative to the app. */
  readonly files: readonly string[];
}

/** Filled in by the build. */
declare const __SHELL__: Shell;

const shell = __SHELL__;
const prefix = cachePrefix('shell');
const cacheName = prefix + shell.version;

/** Rejects if anything is missing; the browser then tries again later. */
export async function keepShell(): Promise<void> {
  const page = await fetch(base, { cache: 'no-store' });
  // The login may be over, or the server may have another version by now.
  if (!page.ok || !(await page.clone().text()).includes(shell.entry))
    throw new Error('The page belongs to another version.');
  const cache = await caches.open(cacheName);
  await cache.addAll(shell.files.map((file) => new URL(file, base).href));
  await cache.put(base, page);
}

/** Keeps the previous version too, because its pages may still be open and load more files. */
export async function dropOldShells(): Promise<void> {
  const others = (await caches.keys()).filter((name) => name.startsWith(prefix) && name !== cacheName);
  await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)));
}

export function isPage(path: string): boolean {
  return /^(?:$|(?:chat|recipes|code|overview|settings|setup)(?:\/|$))/.test(path);
}

/** From the server if it can be reached, so that everybody gets a new version with the next page. */
export async function pageFor(request: Request, answered: (response: Response) => void): Promise<Response> {
  const response = await reach(request);
  if (response) {
    answered(response);
    return response;
  }
  const kept = await caches.match(base, { cacheName, ignoreVary: true });
  return kept ?? fetch(request);
}

/** Their names change with their content. */
export async function assetFor(request: Request): Promise<Response> {
  return (await caches.match(request, { ignoreVary: true })) ?? fetch(request);
}
