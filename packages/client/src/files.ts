// The files of a session's working directory or of the person's notes, as plain functions over HTTP.
import type { FileFacts, FileMatches, FilePage, FilePart, SessionId } from '@parley/protocol';
import type { Http } from './http.ts';
import { queryString } from './query-string.ts';

export interface Files {
  /** A part of a folder's list. */
  list(
    path: string,
    page?: { readonly offset?: number; readonly limit?: number; readonly signal?: AbortSignal },
  ): Promise<FilePage>;
  /** Text from this byte on, as much as the server sends at once; or what kind of file it is, if it is not text. */
  read(
    path: string,
    options?: { readonly offset?: number; readonly signal?: AbortSignal },
  ): Promise<FilePart>;
  /** Fails with ApiError `conflict` if the file is no longer this version; `null` means that there is no file yet. */
  save(path: string, text: string, version: string | null): Promise<FileFacts>;
  /** Fails with ApiError `conflict` if the file already exists, unless `replace` is set. */
  upload(
    path: string,
    content: Blob,
    options?: { readonly replace?: boolean; readonly signal?: AbortSignal },
  ): Promise<FileFacts>;
  /** The address for a link or an image on a page. */
  address(path: string): string;
  find(
    query: string,
    options?: {
      readonly in?: 'names' | 'content';
      readonly regex?: boolean;
      readonly limit?: number;
      readonly signal?: AbortSignal;
    },
  ): Promise<FileMatches>;
}

export function sessionFiles(http: Http, session: SessionId): Files {
  return createFiles(http, `/api/claude/sessions/${encodeURIComponent(session)}/files`);
}

export function noteFiles(http: Http): Files {
  return createFiles(http, '/api/notes/files');
}

function createFiles(http: Http, base: string): Files {
  return {
    list: (path, { signal, ...page } = {}) => http.get(base + queryString({ path, ...page }), signal),
    read: (path, { signal, offset } = {}) =>
      http.get(`${base}/content${queryString({ path, offset })}`, signal),
    save: (path, text, version) => http.send('PUT', `${base}/content`, { path, text, version }),
    upload: async (path, content, { replace, signal } = {}) => {
      const response = await http.request(`${base}/raw${queryString({ path, replace })}`, {
        method: 'PUT',
        bytes: content,
        signal,
      });
      return (await response.json()) as FileFacts;
    },
    address: (path) => http.personalAddress(`${base}/raw${queryString({ path })}`),
    find: (query, { signal, ...options } = {}) =>
      http.get(`${base}/search${queryString({ q: query, ...options })}`, signal),
  };
}
