// Paths in texts that lead to a file of the conversation. Whoever shows the texts says how a file is opened.
import { createContext } from 'react';

export interface FilePlace {
  readonly path: string;
  readonly line: number | undefined;
}

/** Opens a file; undefined where texts name no files. */
export const OpenPathContext = createContext<((place: FilePlace) => void) | undefined>(undefined);

/** What looks like a file with an ending, or several names with slashes, and perhaps a line: `src/app.ts:12`. */
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
