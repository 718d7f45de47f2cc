// Resolves links in a path, for comparing paths.
import { realpath } from 'node:fs/promises';

/** The path itself if nothing is there. */
export function realPathOf(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}
