// Whether a program exists, without starting it.
import { existsSync, statSync } from 'node:fs';
import { delimiter, resolve, sep } from 'node:path';

/** A name is looked up in the search path; a path is relative to `cwd`. */
export function isProgram(command: string, searchPath = '', cwd = ''): boolean {
  const folders = command.includes(sep) ? [cwd] : searchPath.split(delimiter);
  const paths = folders.map((folder) => resolve(folder, command));
  return paths.some((path) => existsSync(path) && statSync(path).isFile());
}
