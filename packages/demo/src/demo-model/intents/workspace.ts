// Files in a workspace, with `claude`'s own tools: list, read, search, write, edit, summarize.
import { isAbsolute, join } from 'node:path';
import { type ReplyPart, sayInWords } from '../../anthropic/reply.ts';
import type { Intent } from '../intent.ts';
import { bullets, count, fence, sorry } from '../phrasing.ts';
import { filesInListing, firstLines, pathsIn, unquote, withoutLineNumbers } from '../reading.ts';
import type { DoneCall, Scene } from '../scene.ts';
import { call, callsTo, lastCall, offers, pathOf } from '../tool-calls.ts';

const editFile: Intent = {
  name: 'edit a file',
  example: 'Edit README.md: replace tiny with small',
  needs: [['Read'], ['Edit']],
  next(scene) {
    const match =
      /\b(?:edit|change|in)\s+(\S+\.\w+)\s*[:,]?\s*(?:and\s+)?replace\s+(.+?)\s+(?:by|with)\s+(.+)/is.exec(
        scene.said,
      );
    if (match === null) return undefined;
    const [, path = '', before = '', after = ''] = match;
    const file_path = inWorkspace(scene, unquote(path));
    const edited = lastCall(scene, 'Edit');
    if (edited?.failed === true) return [sorry(`I didn't change ${path}`, edited)];
    if (edited !== undefined)
      return [sayInWords(`${path} now says “${unquote(after)}” where it said “${unquote(before)}”.`)];
    const read = lastCall(scene, 'Read');
    if (read === undefined)
      return [sayInWords("I'll read the file first."), call(scene, 'Read', { file_path })];
    if (read.failed) return [sorry(`I couldn't read ${path}`, read)];
    return [call(scene, 'Edit', { file_path, old_string: unquote(before), new_string: unquote(after) })];
  },
};

const writeFile: Intent = {
  name: 'write a file',
  example: 'Create a file hello.txt with Good morning',
  needs: [['Write']],
  next(scene) {
    const match =
      /\b(?:write|create|make)\b[^.\n]*?\s([\w./-]+\.\w{1,8})[\s,]*(?::|saying|that says|with(?: the (?:text|content))?|containing)[\s:]*(.+)/is.exec(
        scene.said,
      );
    if (match === null) return undefined;
    const [, path = '', content = ''] = match;
    const written = lastCall(scene, 'Write');
    if (written === undefined) {
      return [
        call(scene, 'Write', { file_path: inWorkspace(scene, path), content: `${unquote(content)}\n` }),
      ];
    }
    if (written.failed) return [sorry(`I didn't write ${path}`, written)];
    return [sayInWords(`I wrote ${path}:\n\n${fence(unquote(content))}`)];
  },
};

const readFile: Intent = {
  name: 'read a file',
  example: 'Read README.md',
  needs: [['Read']],
  next(scene) {
    if (!/\b(read|open|show|print|look at|what's in|what is in)\b/i.test(scene.said)) return undefined;
    const paths = pathsIn(scene.said).slice(0, 5);
    if (paths.length === 0) return undefined;
    const reads = callsTo(scene.done, 'Read');
    if (reads.length === 0)
      return paths.map((path) => call(scene, 'Read', { file_path: inWorkspace(scene, path) }));
    return [sayInWords(reads.map((read) => quoteFile(scene, read)).join('\n\n'))];
  },
};

const summarizeWorkspace: Intent = {
  name: 'summarize the workspace',
  example: 'Summarize the key files in the workspace',
  needs: [['Read'], ['Glob', 'Bash']],
  next(scene) {
    if (!/\bsummar(y|ize|ise)\b|\bwhat is (in )?this (project|workspace)\b/i.test(scene.said))
      return undefined;
    const reads = callsTo(scene.done, 'Read');
    if (reads.length > 0)
      return [
        sayInWords(`The workspace at a glance:\n\n${reads.map((read) => oneLine(scene, read)).join('\n')}`),
      ];
    const listed = lastCall(scene, 'Glob', 'Bash');
    if (listed === undefined) return [sayInWords('Let me look at the files.'), list(scene)];
    if (listed.failed) return [sorry("I couldn't list the files", listed)];
    const key = keyFiles(filesInListing(listed.result));
    if (key.length === 0) return [sayInWords('The workspace has no files to summarize.')];
    return key.map((path) => call(scene, 'Read', { file_path: inWorkspace(scene, path) }));
  },
};

const listFiles: Intent = {
  name: 'list files',
  example: 'List the files',
  needs: [['Glob', 'Bash']],
  next(scene) {
    if (!/\b(list|show|what|which)\b.*\b(files|folder|directory|workspace)\b/i.test(scene.said))
      return undefined;
    const listed = lastCall(scene, 'Glob', 'Bash');
    if (listed === undefined) return [list(scene)];
    if (listed.failed) return [sorry("I couldn't list the files", listed)];
    const files = filesInListing(listed.result).map((path) => shortPath(scene, path));
    if (files.length === 0) return [sayInWords('There are no files here yet.')];
    return [sayInWords(`I see ${count(files.length, 'file')}:\n\n${bullets(files)}`)];
  },
};

const searchFiles: Intent = {
  name: 'search files',
  example: 'Search for TODO',
  needs: [['Grep', 'Bash']],
  next(scene) {
    const wanted = /\b(?:search|grep|look)\b.*?\bfor\s+(.+)/i.exec(scene.said)?.[1];
    if (wanted === undefined) return undefined;
    const pattern = unquote(
      wanted.replace(/[?.!]+$/, '').replace(/\s+in (the|my|this) (files|code|workspace|project)$/i, ''),
    );
    const searched = lastCall(scene, 'Grep', 'Bash');
    if (searched === undefined) return [search(scene, pattern)];
    // grep exits with 1 when nothing matches.
    if (searched.failed && !/^Exit code 1\s*$/.test(searched.result))
      return [sorry('The search failed', searched)];
    if (searched.failed || !/\w/.test(searched.result))
      return [sayInWords(`I couldn't find “${pattern}” in the workspace.`)];
    return [sayInWords(`I found “${pattern}” here:\n\n${fence(firstLines(searched.result, 15))}`)];
  },
};

export const workspaceIntents: readonly Intent[] = [
  editFile,
  writeFile,
  summarizeWorkspace,
  readFile,
  searchFiles,
  listFiles,
];

function list(scene: Scene): ReplyPart {
  if (offers(scene, 'Glob')) return call(scene, 'Glob', { pattern: '*' });
  return call(scene, 'Bash', { command: 'ls', description: 'List the files in the workspace' });
}

function search(scene: Scene, pattern: string): ReplyPart {
  if (offers(scene, 'Grep')) return call(scene, 'Grep', { pattern, output_mode: 'content' });
  const command = `grep -rnF -- '${pattern.replaceAll("'", "'\\''")}' .`;
  return call(scene, 'Bash', { command, description: 'Search the files in the workspace' });
}

/** `claude` tells the model its working directory; its file tools need absolute paths. */
function inWorkspace(scene: Scene, path: string): string {
  return isAbsolute(path) ? path : join(workspace(scene), path);
}

function shortPath(scene: Scene, path: string): string {
  const root = `${workspace(scene)}/`;
  return path.startsWith(root) ? path.slice(root.length) : path;
}

function workspace(scene: Scene): string {
  return /(?:Primary w|W)orking directory: (\S[^\n]*)/.exec(scene.briefing)?.[1]?.trim() ?? '/';
}

function keyFiles(files: readonly string[]): readonly string[] {
  const rank = (path: string): number => {
    const at = [/readme/i, /package\.json$/i, /\.(md|txt)$/i, /\.(ts|js|py|go|rs)$/i].findIndex((kind) =>
      kind.test(path),
    );
    return at < 0 ? 9 : at;
  };
  return files.toSorted((a, b) => rank(a) - rank(b)).slice(0, 3);
}

function quoteFile(scene: Scene, read: DoneCall): string {
  const path = shortPath(scene, pathOf(read));
  if (read.failed) return `I couldn't read ${path}: ${firstLines(read.result, 3)}`;
  return `${path} says:\n\n${fence(firstLines(withoutLineNumbers(read.result), 40))}`;
}

function oneLine(scene: Scene, read: DoneCall): string {
  const path = shortPath(scene, pathOf(read));
  if (read.failed) return `- **${path}** could not be read: ${firstLines(read.result, 1)}`;
  const lines = withoutLineNumbers(read.result)
    .split('\n')
    .filter((line) => line.trim() !== '');
  return `- **${path}** (${count(lines.length, 'line')}): ${(lines.find((line) => /\w/.test(line)) ?? 'empty')
    .trim()
    .replace(/^#+\s*/, '')
    .slice(0, 120)}`;
}
