// The port for files that people see in the app: those of a session's working directory, and their notes.
import type {
  FileEntry,
  FileFacts,
  FileMatch,
  FilePage,
  FilePart,
  PersonName,
  SessionId,
  SessionLevel,
} from '@parley/protocol';
import type { Actor } from './access.ts';

export type { FileEntry };

/** A folder that somebody may look at, and nothing outside of it. */
export interface FilePlace {
  /** A real path. */
  readonly root: string;
  /** Real paths below it that this person must not see, because they belong to others or to Parley. */
  readonly hidden: readonly string[];
  /** What may be written, and whether ignore files count when searching. */
  readonly kind: 'notes' | 'work';
}

/** The working directory of a session. */
export interface WorkPlace extends FilePlace {
  /** Whose session it is: its programs work for this person. */
  readonly person: PersonName;
}

export interface FilePlaces {
  /** `not_found` and `forbidden` as for the session; `forbidden` also if its folder is no longer allowed. */
  ofSession(actor: Actor, id: SessionId, needed: SessionLevel): Promise<WorkPlace>;
  ofNotes(actor: Actor): Promise<FilePlace>;
}

/** What a write replaces: a version of the file, nothing, or whatever is there. */
export type Replaces = { readonly version: string } | 'nothing' | 'anything';

/** A file to be sent as it is. Close it. */
export interface OpenedFile extends AsyncDisposable {
  readonly name: string;
  readonly size: number;
  /** The type of an image, by its bytes; undefined for everything else. */
  readonly imageType: string | undefined;
  /** Both ends are included. */
  read(range: { readonly start: number; readonly end: number }): AsyncIterable<Uint8Array>;
}

/**
 * Paths are relative to the place, exactly as listed. Calls reject with `not_found`, with `invalid` for a malformed
 * path, and with `forbidden` for links, pipes, devices, and everything that may not be read or written here.
 */
export interface Files {
  list(
    place: FilePlace,
    path: string,
    page: { readonly offset: number; readonly limit: number },
  ): Promise<FilePage>;
  /** A part of a text file; only facts about anything else. */
  read(place: FilePlace, path: string, offset: number): Promise<FilePart>;
  open(place: FilePlace, path: string): Promise<OpenedFile>;
  /** Atomic. `conflict` if something else is there, `too_large` above the limit. */
  write(
    place: FilePlace,
    path: string,
    content: AsyncIterable<Uint8Array> | Uint8Array,
    replaces: Replaces,
  ): Promise<FileFacts>;
  findNames(
    place: FilePlace,
    query: string,
    options: { readonly limit: number; readonly signal: AbortSignal },
  ): Promise<{ readonly matches: readonly FileMatch[]; readonly isCut: boolean }>;
  findLines(
    place: FilePlace,
    query: string,
    options: { readonly isRegex: boolean; readonly signal: AbortSignal },
  ): Promise<{ readonly matches: readonly FileMatch[]; readonly isCut: boolean }>;
}
