// Parses a path below a folder. Pure: it only returns the names; folder.ts checks where they lead.
import { sep } from 'node:path';
import { ParleyError } from '@parley/protocol';

export interface FolderPath {
  /** The names below the folder; empty for the folder itself. */
  readonly names: readonly string[];
  /** The path as shown in answers. */
  readonly text: string;
}

const longestPath = 1_024;
/** The longest path that Linux accepts. */
const longestListedPath = 4_096;
const longestName = 255;

/** A path exactly as it was listed: nothing in it is cleaned up. */
export function listedPath(path: string): FolderPath {
  if (Buffer.byteLength(path) > longestListedPath) throw refused('The path is too long.');
  const names = path === '' ? [] : path.split('/');
  const isOdd = (name: string) =>
    name === '' ||
    name === '.' ||
    name === '..' ||
    name.includes('\0') ||
    (sep === '\\' && /[\\:]/.test(name));
  if (names.some(isOdd)) throw refused('This is not a path below the folder.');
  refuseLongNames(names);
  return { names, text: path };
}

/** The folder and the name of a file. */
export function toFile(path: FolderPath): FilePath {
  const name = path.names.at(-1);
  if (name === undefined) throw refused('The path names a folder. Name a file.');
  return { ...path, folder: path.names.slice(0, -1), name };
}

export interface FilePath extends FolderPath {
  readonly folder: readonly string[];
  readonly name: string;
}

/** A path that a model wrote: odd spellings are refused with a sentence that it can act on. */
export function parsePath(path: string): FolderPath {
  if (Buffer.byteLength(path) > longestPath) throw refused('The path is too long.');
  if (/\p{Cc}/u.test(path)) throw refused('The path contains a control character.');
  if (path.includes('\\')) throw refused(`"${path}" contains a backslash. Use "/" between folders.`);
  if (/%(2e|2f|5c|00|25)/i.test(path))
    throw refused(`"${path}" is percent-encoded. Write the path without encoding.`);
  if (/^(\/|~|[a-z]:)/i.test(path)) {
    throw refused(
      `"${path}" is not relative. Paths start in the person's own folder, such as "recipes/soup.md".`,
    );
  }
  const names = path.split('/').filter((name) => name !== '' && name !== '.');
  if (names.includes('..')) throw refused(`"${path}" contains "..". Paths can only lead down.`);
  refuseLongNames(names);
  return { names, text: names.join('/') };
}

export function parseFilePath(path: string): FilePath {
  const parsed = parsePath(path);
  if (parsed.text === '' || path.endsWith('/')) throw refused(`"${path}" names a folder. Name a file.`);
  return toFile(parsed);
}

function refuseLongNames(names: readonly string[]): void {
  if (names.some((name) => Buffer.byteLength(name) > longestName))
    throw refused('A name in the path is too long.');
}

function refused(message: string): ParleyError {
  return new ParleyError('invalid', message);
}
