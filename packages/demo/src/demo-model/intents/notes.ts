// Notes in a vault: list, read, search, write, append, summarize.
import { sayInWords } from '../../anthropic/reply.ts';
import type { Intent } from '../intent.ts';
import { bullets, count, fence, sorry } from '../phrasing.ts';
import { filesInListing, firstLines, foldersInListing, pathsIn, slug, unquote } from '../reading.ts';
import type { DoneCall } from '../scene.ts';
import { call, callsTo, lastCall, pathOf } from '../tool-calls.ts';
import { lookUpNote } from './note-lookup.ts';

const listNotes: Intent = {
  name: 'list notes',
  example: 'What notes do I have?',
  needs: [['list_directory']],
  next(scene) {
    const asks =
      /\b(list|show|what|which)\b.*\b(files|notes|folders?|director(y|ies))\b/i.test(scene.said) ||
      /\bwhat('s| is) in my (vault|folder|notes)\b/i.test(scene.said);
    if (!asks || pathsIn(scene.said).length > 0) return undefined;
    const listed = lastCall(scene, 'list_directory');
    if (listed === undefined) return [call(scene, 'list_directory', { path: folderIn(scene.said) })];
    if (listed.failed) return [sorry("I couldn't list that folder", listed)];
    const files = filesInListing(listed.result);
    const folders = foldersInListing(listed.result);
    const nested = folders.length === 0 ? '' : `\n\nThere are also folders: ${folders.join(', ')}.`;
    if (files.length === 0)
      return [sayInWords(`I found no notes there:\n\n${firstLines(listed.result, 20)}`)];
    return [sayInWords(`You have ${count(files.length, 'note')} here:\n\n${bullets(files)}${nested}`)];
  },
};

const readNote: Intent = {
  name: 'read notes',
  example: 'Read shopping-list.md',
  needs: [['read_file']],
  next(scene) {
    if (!/\b(read|open|show|print|what does|what's in|what is in|look at)\b/i.test(scene.said))
      return undefined;
    const paths = pathsIn(scene.said);
    if (paths.length === 0) return undefined;
    const reads = callsTo(scene.done, 'read_file');
    if (reads.length === 0) return paths.slice(0, 5).map((path) => call(scene, 'read_file', { path }));
    return [sayInWords(reads.map(quoteNote).join('\n\n'))];
  },
};

const searchNotes: Intent = {
  name: 'search notes',
  example: 'Search my notes for lemons',
  needs: [['search_files']],
  next(scene) {
    const query =
      /\b(?:search|find|look|grep)\b(?:.*?\b(?:for|about|mentions?|mentioning|containing)\b)?\s+(.+)/i.exec(
        scene.said,
      )?.[1];
    if (query === undefined || pathsIn(scene.said).length > 0) return undefined;
    const wanted = unquote(query.replace(/[?.!]+$/, '').replace(/\s+in my (notes|files|vault)$/i, ''));
    const searched = lastCall(scene, 'search_files');
    if (searched === undefined) return [call(scene, 'search_files', { query: wanted, path: '.' })];
    if (searched.failed) return [sorry('The search failed', searched)];
    const files = filesInListing(searched.result);
    if (files.length === 0) return [sayInWords(`I searched your notes for “${wanted}” and found nothing.`)];
    return [
      sayInWords(
        `“${wanted}” appears in ${count(files.length, 'note')}:\n\n${fence(firstLines(searched.result, 12))}`,
      ),
    ];
  },
};

const appendNote: Intent = {
  name: 'add to a note',
  example: 'Add honey to my shopping list',
  needs: [['read_file'], ['write_file']],
  next(scene) {
    const match =
      /\b(?:add|append|put)\s+(.+?)\s+(?:to|into|on|at the end of)\s+((?:my|the|our)\s.+|\S+\.\w+)/i.exec(
        scene.said,
      );
    if (match === null) return undefined;
    const [, line = '', called = ''] = match;
    const lookup = lookUpNote(scene, called);
    if (lookup.state === 'looking') return lookup.parts;
    if (lookup.state === 'nowhere') return [sayInWords(`I couldn't find a note called “${lookup.name}”.`)];
    const { path } = lookup;
    const read = lastCall(scene, 'read_file');
    if (read === undefined) return [call(scene, 'read_file', { path })];
    // Writing back a note that was read only in part would lose the rest.
    if (/\[The file was cut\b/.test(read.result))
      return [sayInWords(`${path} is too long for me to change.`)];
    const written = lastCall(scene, 'write_file');
    if (written === undefined) {
      const before = read.failed ? '' : `${read.result.replace(/\n+$/, '')}\n`;
      return [call(scene, 'write_file', { path, content: `${before}- ${unquote(line)}\n` })];
    }
    if (written.failed) return [sorry(`I couldn't change ${path}`, written)];
    return [sayInWords(`Done. I added “${unquote(line)}” at the end of ${path}.`)];
  },
};

const writeNote: Intent = {
  name: 'write a note',
  example: 'Write a note ideas.md saying Plant basil in May',
  needs: [['write_file']],
  next(scene) {
    const note = noteToWrite(scene.said);
    if (note === undefined) return undefined;
    const written = lastCall(scene, 'write_file');
    if (written === undefined) return [call(scene, 'write_file', note)];
    if (written.failed) return [sorry(`I couldn't write ${note.path}`, written)];
    return [sayInWords(`I wrote ${note.path}:\n\n${fence(note.content.trimEnd())}`)];
  },
};

const summarizeNotes: Intent = {
  name: 'summarize notes',
  example: 'Summarize my notes',
  needs: [['list_directory'], ['read_file']],
  next(scene) {
    if (!/\bsummar(y|ize|ise)\b/i.test(scene.said)) return undefined;
    const reads = callsTo(scene.done, 'read_file');
    if (reads.length > 0) return [sayInWords(`In short:\n\n${reads.map(oneLine).join('\n')}`)];
    const named = pathsIn(scene.said);
    const listed = lastCall(scene, 'list_directory');
    if (named.length === 0 && listed === undefined) {
      return [sayInWords("Let me see what's there."), call(scene, 'list_directory', { path: '.' })];
    }
    if (listed?.failed === true) return [sorry("I couldn't list your notes", listed)];
    const files = (named.length > 0 ? named : filesInListing(listed?.result ?? '')).slice(0, 4);
    if (files.length === 0) return [sayInWords('There are no notes to summarize yet.')];
    return files.map((path) => call(scene, 'read_file', { path }));
  },
};

export const noteIntents: readonly Intent[] = [
  summarizeNotes,
  appendNote,
  writeNote,
  readNote,
  searchNotes,
  listNotes,
];

function noteToWrite(said: string): { path: string; content: string } | undefined {
  const quotedFirst = /\b(?:write|save|put)\s+["“'](.+?)["”']\s+(?:to|into|in|as)\s+(\S+\.\w+)/is.exec(said);
  if (quotedFirst !== null) return note(quotedFirst[2], quotedFirst[1]);
  const pathFirst =
    /\b(?:write|create|make|save|start)\b[^.\n]*?\s([\w./-]+\.\w{1,8})[\s,]*(?::|saying|that says|with(?: the (?:text|content))?|containing)[\s:]*(.+)/is.exec(
      said,
    );
  if (pathFirst !== null) return note(pathFirst[1], pathFirst[2]);
  const named =
    /\b(?:write|create|make|save|start) (?:me )?(?:a )?(?:new )?note (?:named|called|titled)\s+["“']?([\w][\w -]{0,60}?)["”']?[\s,]*(?::|saying|that says|with(?: the (?:text|content))?|containing)[\s:]+(.+)/is.exec(
      said,
    );
  if (named !== null) return note(`${slug(named[1] ?? '')}.md`, named[2]);
  const unnamed =
    /\b(?:write|create|make|save|take) (?:me )?(?:a |down a )?(?:new )?note\s*(?::|saying|that says|that|about|with)\s*(.+)/is.exec(
      said,
    ) ?? /^\s*(?:please )?(?:note that|note:|remember that|remember:)\s*(.+)/is.exec(said);
  if (unnamed === null) return undefined;
  return note(`${slug(unnamed[1] ?? '')}.md`, unnamed[1]);
}

function note(path = 'note.md', content = ''): { path: string; content: string } {
  return { path: unquote(path), content: `${unquote(content)}\n` };
}

function folderIn(said: string): string {
  return unquote(
    /\b(?:in|of|under)\s+(?:the\s+|my\s+)?(?:folder\s+)?["'`]?([\w-]+(?:\/[\w-]+)*)\/?["'`]?(?:\s+folder)?\s*\??$/i.exec(
      said,
    )?.[1] ?? '.',
  ).replace(/^(vault|folder|notes?|directory|here)$/i, '.');
}

function quoteNote(read: DoneCall): string {
  const path = pathOf(read);
  if (read.failed) return `I couldn't read ${path}: ${firstLines(read.result, 3)}`;
  return `${path} says:\n\n${fence(firstLines(read.result, 40))}`;
}

function oneLine(read: DoneCall): string {
  const path = pathOf(read);
  if (read.failed) return `- **${path}** could not be read: ${firstLines(read.result, 1)}`;
  const words = read.result.match(/\S+/g) ?? [];
  const opening = read.result.split('\n').find((line) => line.trim() !== '') ?? 'nothing yet';
  return `- **${path}** (${words.length} words): ${opening.replace(/^#+\s*/, '').slice(0, 120)}`;
}
