// Stores the help pages that somebody has read, so that they open without the server. They are the same for everybody.
import { cachePrefix, reach } from './scope.ts';

const cacheName = cachePrefix('help');
const maxFiles = 200;

export function isHelp(path: string): boolean {
  return /^help(?:\/|$)/.test(path);
}

/** `later` gets the work that the response doesn't wait for. */
export async function helpFor(request: Request, later: (work: Promise<void>) => void): Promise<Response> {
  const response = await reach(request);
  if (response) {
    // A part of a video can't be stored.
    if (response.status === 200 && !response.redirected) later(keep(request.url, response.clone()));
    return response;
  }
  return (await caches.match(request.url, { cacheName, ignoreVary: true })) ?? fetch(request);
}

async function keep(url: string, response: Response): Promise<void> {
  const cache = await caches.open(cacheName);
  await cache.put(url, response);
  const keys = await cache.keys();
  await Promise.all(keys.slice(0, -maxFiles).map((oldest) => cache.delete(oldest)));
}
