// Files of a working directory or of the notes, for pages. Paths are relative to that folder.
import { z } from 'zod';
import { ImageType } from './content.ts';

/** `other` is a pipe, a device or a socket. Links and others cannot be opened. */
export const FileEntry = z.object({ name: z.string(), kind: z.enum(['folder', 'file', 'link', 'other']) });
export type FileEntry = z.infer<typeof FileEntry>;

/** A part of a folder's list, folders first. */
export const FilePage = z.object({
  path: z.string(),
  entries: z.array(FileEntry),
  /** Where the part begins in the whole list. */
  offset: z.int(),
  total: z.int(),
  /** The folder has more entries than any list shows. */
  truncated: z.boolean(),
});
export type FilePage = z.infer<typeof FilePage>;

/** `version` changes with every write; send it back to replace exactly this content. */
export const FileFacts = z.object({
  path: z.string(),
  size: z.int(),
  version: z.string(),
  modifiedAt: z.iso.datetime(),
});
export type FileFacts = z.infer<typeof FileFacts>;

/** What a file contains, detected from its bytes. `start` and `end` are byte offsets that don't split a character. */
export const FilePart = z.discriminatedUnion('kind', [
  FileFacts.extend({ kind: z.literal('text'), text: z.string(), start: z.int(), end: z.int() }),
  FileFacts.extend({ kind: z.literal('image'), mediaType: ImageType }),
  FileFacts.extend({ kind: z.literal('binary') }),
]);
export type FilePart = z.infer<typeof FilePart>;

/** A file or folder that was found by its name, or a line of a file that was found by its content. */
export const FileMatch = z.object({
  path: z.string(),
  folder: z.boolean().optional(),
  line: z.int().optional(),
  text: z.string().optional(),
});
export type FileMatch = z.infer<typeof FileMatch>;

export const FileMatches = z.object({
  matches: z.array(FileMatch),
  /** There are more. */
  truncated: z.boolean(),
});
export type FileMatches = z.infer<typeof FileMatches>;
