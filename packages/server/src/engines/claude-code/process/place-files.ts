// Puts the files of a prompt into the work folder, where the program can use them, and names their paths in the prompt.
// They go into a separate folder, which git ignores. Nothing there is ever overwritten.
import { ParleyError, type Prompt, type PromptFile, withAttachedPaths } from '@parley/protocol';
import { createFile } from '../../../basics/atomic-file.ts';
import { errorCode, toFileError } from '../../../folders/file-errors.ts';
import { Folder } from '../../../folders/folder.ts';

const place = ['.parley', 'attachments'] as const;
/** How many files may have the same name and different content. */
const maxOfName = 1_000;

/** Rejects with a sentence, and the prompt must not be sent then. Returns a prompt without files as it is. */
export async function placeFiles(prompt: Prompt, workingDir: string): Promise<Prompt> {
  const files = prompt.filter((part) => part.type === 'file');
  if (files.length === 0) return prompt;
  try {
    const paths: string[] = [];
    await using root = await Folder.openRoot(workingDir);
    await using own = await root.descend([place[0]], { create: true });
    await ignoreInGit(own);
    await using folder = await own.descend([place[1]], { create: true });
    for (const file of files) paths.push([...place, await put(folder, file)].join('/'));
    const others = prompt.filter((part) => part.type !== 'file');
    const texts = others.flatMap((part) => (part.type === 'text' ? [part.text] : []));
    const text = withAttachedPaths(texts.join('\n'), paths);
    return [...others.filter((part) => part.type !== 'text'), { type: 'text', text }];
  } catch (thrown) {
    throw ParleyError.from(toFileError(thrown, place.join('/')));
  }
}

/** Reuses a file with the same content, because a prompt may be sent again. */
async function put(folder: Folder, { name, data }: PromptFile): Promise<string> {
  const bytes = Buffer.from(data, 'base64');
  const [, stem = '', ending = ''] = /^(.*?)(\.[^.]*)?$/s.exec(harmless(name)) ?? [];
  for (let number = 1; number <= maxOfName; number += 1) {
    const numbered = number === 1 ? `${stem}${ending}` : `${stem}-${number}${ending}`;
    const isNew = await createFile(folder.entry(numbered), bytes, {
      mode: 0o644,
      beforeRename: () => folder.verify(),
    });
    if (isNew || (await isSame(folder, numbered, bytes))) return numbered;
  }
  throw new ParleyError('conflict', `There are too many files named ${name} in ${place.join('/')}.`);
}

/** Renames files that agents would obey, such as CLAUDE.md, and hidden ones, which are often configuration. */
function harmless(name: string): string {
  return /^\.|^(claude|agents?|gemini|qwen|warp|copilot)\b/i.test(name)
    ? `file-${name.replace(/^\.+/, '')}`
    : name;
}

async function isSame(folder: Folder, name: string, bytes: Buffer): Promise<boolean> {
  try {
    await using file = await folder.openFile(name);
    const { size } = await file.stat();
    return size === bytes.length && bytes.equals(await file.readFile());
  } catch {
    // A link or a folder has the name.
    return false;
  }
}

async function ignoreInGit(folder: Folder): Promise<void> {
  await createFile(folder.entry('.gitignore'), '*\n', { mode: 0o644 }).catch((thrown: unknown) => {
    if (errorCode(thrown) !== 'EEXIST') throw thrown;
  });
}
