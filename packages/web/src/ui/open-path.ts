// Recognizes file paths in texts, such as answers. The page that shows the texts decides how a file opens.
import { createContext } from 'react';

export interface FilePlace {
  readonly path: string;
  readonly line: number | undefined;
}

/** Opens a file; undefined where paths don't lead to files. */
export const OpenPathContext = createContext<((place: FilePlace) => void) | undefined>(undefined);

/** Accepts a file name with an extension, or a path with slashes, optionally with a line: `src/app.ts:12`. */
export function placeIn(text: string): FilePlace | undefined {
  const found =
    /^(?<path>[^\s:#*?"'`<>|$(){}[\]\\;=,]{1,400})(?:(?::|#L)(?<line>\d{1,7})(?:[:-]L?\d+)?)?$/u.exec(text);
  const { path = '', line } = found?.groups ?? {};
  if (!/^(?:\.{0,2}\/)?[\w@.+~-]+(?:\/[\w@.+~-]+)*$/u.test(path)) return undefined;
  const isFile = /[^/.]\.[A-Za-z]\w{0,9}$/.test(path) || (path.includes('/') && !path.endsWith('/'));
  if (!isFile || /^[\w-]+(\.[\w-]+)*\.(com|org|net|io|dev)$/.test(path) || path.startsWith('..'))
    return undefined;
  return { path: path.replace(/^\.\//, ''), line: line === undefined ? undefined : Number(line) };
}
