// The files of a place. Every call opens its folder again and looks up names from there.
import type { FileHandle } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { type FileFacts, type FilePart, ParleyError } from '@parley/protocol';
import { KeyedQueue } from '../basics/keyed-queue.ts';
import { recognizeImage } from '../content/check-image.ts';
import type { FilePlace, Files, OpenedFile, Replaces } from '../domain/files.ts';
import { toFileError } from './file-errors.ts';
import { findNames } from './find-names.ts';
import { Folder, versionOf } from './folder.ts';
import { EntryLists } from './folder-entries.ts';
import { type FilePath, type FolderPath, listedPath, toFile } from './folder-path.ts';
import { refuseProtected, refuseRepository, refuseWorkSettings } from './protected-names.ts';
import { readTextPart } from './read-text.ts';
import { searchFolder } from './search-folder.ts';

const limits = {
  /** Per read; the rest is read from an offset. */
  readBytes: 256 * 1024,
  writeBytes: 32 * 1024 * 1024,
  searchMatches: 500,
  searchBytes: 256 * 1024,
  searchMs: 10_000,
  namesMs: 3_000,
};

export interface PlaceFilesOptions {
  readonly limits?: Partial<typeof limits>;
  /** For tests of systems that can't hold folders open. */
  readonly holdFolders?: boolean;
}

export function createPlaceFiles(options: PlaceFilesOptions = {}): Files {
  const most = { ...limits, ...options.limits };
  const lists = new EntryLists();
  /** Of two writes with the same version, one must fail. */
  const writes = new KeyedQueue();

  /** Errors of the system become sentences. */
  async function inFolder<T>(
    place: FilePlace,
    path: FolderPath,
    names: readonly string[],
    work: (folder: Folder) => Promise<T>,
    create = false,
  ): Promise<T> {
    try {
      refuseRepository(path);
      await using root = await Folder.openRoot(place.root, {
        hidden: place.hidden,
        holds: options.holdFolders,
      });
      await using folder = await root.descend(names, { create });
      return await work(folder);
    } catch (thrown) {
      throw toFileError(thrown, path.text);
    }
  }

  const inPlace = <T>(place: FilePlace, work: (folder: Folder) => Promise<T>) =>
    inFolder(place, listedPath(''), [], work);

  async function write(
    place: FilePlace,
    path: FilePath,
    content: AsyncIterable<Uint8Array> | Uint8Array,
    replaces: Replaces,
  ): Promise<FileFacts> {
    let facts: FileFacts | undefined;
    const fill = async (file: FileHandle) => {
      await pour(content, file, most.writeBytes);
    };
    await inFolder(
      place,
      path,
      path.folder,
      async (folder) => {
        await folder.writeFile(path.name, fill, replaces);
        await using file = await folder.openFile(path.name);
        facts = await factsOf(file, path.text);
      },
      true,
    );
    if (!facts) throw new ParleyError('internal', 'The file was not saved.');
    return facts;
  }

  return {
    async list(place, path, { offset, limit }) {
      const parsed = listedPath(path);
      return inFolder(place, parsed, parsed.names, async (folder) => {
        const { entries, isCut } = await lists.of(folder);
        const shown = isAnyHidden(place, folder)
          ? entries.filter(({ name }) => !isHidden(place, folder, name))
          : entries.filter(({ name }) => name !== '.git');
        return {
          path: parsed.text,
          entries: shown.slice(offset, offset + limit),
          offset,
          total: shown.length,
          truncated: isCut,
        };
      });
    },

    async read(place, path, offset) {
      const parsed = toFile(listedPath(path));
      return inFolder(place, parsed, parsed.folder, async (folder) => {
        await using file = await folder.openFile(parsed.name);
        return await readPart(file, parsed.text, offset, most.readBytes);
      });
    },

    async open(place, path) {
      const parsed = toFile(listedPath(path));
      return inFolder(place, parsed, parsed.folder, async (folder) =>
        opened(await folder.openFile(parsed.name), parsed.name),
      );
    },

    async write(place, path, content, replaces) {
      const parsed = toFile(listedPath(path));
      if (place.kind === 'notes') refuseProtected(parsed);
      else refuseWorkSettings(parsed);
      const key = join(place.root, parsed.text);
      return writes.run(key, () => write(place, parsed, content, replaces));
    },

    async findNames(place, query, { limit, signal }) {
      return inPlace(place, async (folder) => {
        const { found, isCut } = await findNames(folder, {
          query,
          skipsIgnored: place.kind === 'work',
          hidden: relativeHidden(place),
          limit,
          timeoutMs: most.namesMs,
          signal,
        });
        return { matches: found.map(({ path, isFolder }) => ({ path, folder: isFolder })), isCut };
      });
    },

    async findLines(place, query, { isRegex, signal }) {
      if (/[\n\r\0]/.test(query)) throw new ParleyError('invalid', 'The query must be a single line.');
      return inPlace(place, async (folder) => {
        const { matches, stoppedBy } = await searchFolder(folder, {
          query,
          isRegex,
          skipsIgnored: place.kind === 'work',
          hidden: ['.git', ...relativeHidden(place)],
          maxMatches: most.searchMatches,
          maxBytes: most.searchBytes,
          timeoutMs: most.searchMs,
          signal,
        });
        return { matches, isCut: stoppedBy !== undefined };
      });
    },
  };
}

async function readPart(file: FileHandle, path: string, offset: number, maxBytes: number): Promise<FilePart> {
  const facts = await factsOf(file, path);
  const part = await readTextPart(file, path, { offset, maxBytes });
  if ('text' in part) return { ...facts, kind: 'text', text: part.text, start: part.start, end: part.end };
  const image = offset === 0 ? recognizeImage(part.bytes) : undefined;
  return image ? { ...facts, kind: 'image', mediaType: image.mediaType } : { ...facts, kind: 'binary' };
}

async function factsOf(file: FileHandle, path: string): Promise<FileFacts> {
  const stats = await file.stat({ bigint: true });
  return {
    path,
    size: Number(stats.size),
    version: versionOf(stats),
    modifiedAt: new Date(Number(stats.mtimeMs)).toISOString(),
  };
}

async function opened(file: FileHandle, name: string): Promise<OpenedFile> {
  try {
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read(Buffer.alloc(64), 0, 64, 0);
    return {
      name,
      size,
      imageType: recognizeImage(buffer.subarray(0, bytesRead))?.mediaType,
      read: ({ start, end }) => file.createReadStream({ start, end, autoClose: false }),
      [Symbol.asyncDispose]: () => file.close(),
    };
  } catch (thrown) {
    await file.close();
    throw thrown;
  }
}

async function pour(
  content: AsyncIterable<Uint8Array> | Uint8Array,
  file: FileHandle,
  most: number,
): Promise<void> {
  const tooLarge = new ParleyError('too_large', `A file may have at most ${most} bytes. Nothing was saved.`);
  if (content instanceof Uint8Array) {
    if (content.length > most) throw tooLarge;
    return file.writeFile(content);
  }
  let size = 0;
  for await (const chunk of content) {
    size += chunk.length;
    if (size > most) throw tooLarge;
    await file.appendFile(chunk);
  }
}

/** The hidden paths below the place, relative to it. */
function relativeHidden({ root, hidden }: FilePlace): readonly string[] {
  return hidden.map((path) => relative(root, path).split(sep).join('/'));
}

function isAnyHidden({ hidden }: FilePlace, folder: Folder): boolean {
  return hidden.some((path) => path.startsWith(`${folder.realPath}${sep}`));
}

function isHidden({ hidden }: FilePlace, folder: Folder, name: string): boolean {
  return name === '.git' || hidden.includes(join(folder.realPath, name));
}
