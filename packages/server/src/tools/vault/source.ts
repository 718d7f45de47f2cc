// The tool source `vault`: reads, writes, lists and searches in a person's own folder, and nowhere else.
import { ParleyError, type PersonName } from '@parley/protocol';
import { z } from 'zod';
import type { Reading, Risk, Tool, ToolContext, ToolSource } from '../../domain/tool.ts';
import { errorCode, toFileError } from '../../folders/file-errors.ts';
import { Folder } from '../../folders/folder.ts';
import { parseFilePath, parsePath } from '../../folders/folder-path.ts';
import { refuseProtected } from '../../folders/protected-names.ts';
import { readText } from '../../folders/read-text.ts';
import { searchFolder } from '../../folders/search-folder.ts';
import { listFolder } from './list-folder.ts';

const vaultLimits = {
  /** Per read; the rest is read with an offset. */
  readBytes: 256 * 1024,
  writeBytes: 4 * 1024 * 1024,
  listEntries: 1_000,
  searchMatches: 200,
  searchBytes: 64 * 1024,
  searchMs: 10_000,
};
type VaultLimits = Readonly<typeof vaultLimits>;

export interface VaultOptions {
  /** The folder of a person, created on first use. */
  readonly root: (person: PersonName) => string;
  readonly limits?: Partial<VaultLimits>;
  /** Whether folders are held open while in use; by default wherever the system supports it. */
  readonly holdFolders?: boolean;
}

export function createVaultTools(options: VaultOptions): ToolSource {
  const tools = [readFile, writeFile, listDirectory, searchFiles].map((tool) => tool(options));
  return { name: 'vault', tools: () => Promise.resolve(tools), close: () => Promise.resolve() };
}

const FilePath = z.string().describe("Path of the file, relative to the person's folder.");

const readFile = vaultTool({
  name: 'read_file',
  reads: 'private',
  description:
    "Reads a text file from the person's folder. A long file is returned in parts; each part ends with the offset of the next one.",
  input: z.strictObject({
    path: FilePath,
    offset: z.int().min(0).optional().describe('The byte to start at. The default is 0.'),
  }),
  async run({ path, offset = 0 }, { vault, limits }) {
    const { folder, name, text: shown } = parseFilePath(path);
    await using parent = await vault.descend(folder, { create: false });
    await using file = await parent.openFile(name);
    const { text, size, start, end } = await readText(file, shown, { offset, maxBytes: limits.readBytes });
    if (end >= size) return text;
    return `${text}\n\n[The file was cut here: bytes ${start} to ${end} of ${size} are shown. Continue with offset ${end}.]`;
  },
});

const writeFile = vaultTool({
  name: 'write_file',
  description:
    "Creates a text file in the person's folder, or replaces its content. Missing folders are created.",
  input: z.strictObject({
    path: FilePath,
    content: z.string().describe('The complete new content of the file.'),
  }),
  async risk({ path }, { vault }) {
    const target = parseFilePath(path);
    refuseProtected(target);
    return (await isThere(vault, target)) ? { kind: 'change', what: `Replace ${target.text}` } : undefined;
  },
  async run({ path, content }, { vault, limits }) {
    const target = parseFilePath(path);
    refuseProtected(target);
    const bytes = Buffer.from(content);
    if (bytes.length > limits.writeBytes) {
      throw new ParleyError(
        'too_large',
        `The content has ${bytes.length} bytes. The limit is ${limits.writeBytes} bytes.`,
      );
    }
    await using parent = await vault.descend(target.folder, { create: true });
    const isNew = await parent.writeFile(target.name, (file) => file.writeFile(bytes));
    return `${isNew ? 'Created' : 'Replaced'} "${target.text}" (${bytes.length} bytes).`;
  },
});

async function isThere(
  vault: Folder,
  { folder, name }: { readonly folder: readonly string[]; readonly name: string },
): Promise<boolean> {
  try {
    await using parent = await vault.descend(folder, { create: false });
    return await parent.hasFile(name);
  } catch (thrown) {
    if (errorCode(thrown) === 'ENOENT') return false;
    throw thrown;
  }
}

const listDirectory = vaultTool({
  name: 'list_directory',
  reads: 'private',
  description: "Lists a folder of the person's notes: folders first, then files with their sizes.",
  input: z.strictObject({
    path: z
      .string()
      .optional()
      .describe("Path of the folder, relative to the person's folder. The default is that folder itself."),
  }),
  async run({ path = '' }, { vault, limits }) {
    await using folder = await vault.descend(parsePath(path).names, { create: false });
    return await listFolder(folder, limits.listEntries);
  },
});

const searchFiles = vaultTool({
  name: 'search_files',
  reads: 'private',
  description:
    "Finds lines in the text files of the person's folder. Each match is returned as path:line: text. The search ignores case unless the query has a capital letter.",
  input: z.strictObject({
    query: z.string().min(1).max(1_000).describe('The text to look for.'),
    path: z
      .string()
      .optional()
      .describe('The folder to search. The default is the whole folder of the person.'),
    regex: z.boolean().optional().describe('Whether the query is a regular expression (Rust syntax).'),
  }),
  async run({ query, path = '', regex = false }, { vault, limits, signal }) {
    if (/[\n\r\0]/.test(query)) throw new ParleyError('invalid', 'The query must be a single line.');
    const { names, text: shown } = parsePath(path);
    await using folder = await vault.descend(names, { create: false });
    const found = await searchFolder(folder, {
      query,
      isRegex: regex,
      maxMatches: limits.searchMatches,
      maxBytes: limits.searchBytes,
      timeoutMs: limits.searchMs,
      signal,
    });
    const prefix = shown === '' ? '' : `${shown}/`;
    const lines = found.matches.map(({ path, line, text }) => `${prefix}${path}:${line}: ${text}`);
    if (found.stoppedBy !== undefined) lines.push(cutNotes[found.stoppedBy]);
    return lines.length === 0 ? 'No line matches.' : lines.join('\n');
  },
});

const cutNotes = {
  output:
    '[The list was cut: there are more matches. Make the query more specific, or search a smaller folder.]',
  time: '[The search was stopped because it took too long. Search a smaller folder.]',
} as const;

interface VaultCall {
  readonly vault: Folder;
  readonly limits: VaultLimits;
  readonly signal: AbortSignal;
}

interface VaultTool<Input extends { readonly path?: string | undefined }> {
  readonly name: string;
  readonly description: string;
  readonly input: z.ZodType<Input>;
  readonly reads?: Reading;
  readonly risk?: (input: Input, call: VaultCall) => Promise<Risk | undefined>;
  readonly run: (input: Input, call: VaultCall) => Promise<string>;
}

/** A tool that opens the vault for each call, and turns errors into sentences. */
function vaultTool<Input extends { readonly path?: string | undefined }>(tool: VaultTool<Input>) {
  return ({ root, limits, holdFolders }: VaultOptions): Tool => {
    async function inVault<T>(
      given: unknown,
      { person, signal }: Pick<ToolContext, 'person' | 'signal'>,
      work: (input: Input, call: VaultCall) => Promise<T>,
    ): Promise<T> {
      const input = tool.input.parse(given);
      try {
        await using vault = await Folder.openVault(root(person), holdFolders);
        return await work(input, { vault, limits: { ...vaultLimits, ...limits }, signal });
      } catch (thrown) {
        throw toFileError(thrown, input.path ?? '');
      }
    }
    const { risk } = tool;
    return {
      name: tool.name,
      description: tool.description,
      inputSchema: z.toJSONSchema(tool.input),
      reads: tool.reads,
      ...(risk && { risk: (given, context) => inVault(given, context, risk) }),
      run: async (given, context) => ({ content: await inVault(given, context, tool.run) }),
    };
  };
}
