// Questions about the contents of notes: a note by its name, and anything that a search can find.
import { sayInWords } from '../../anthropic/reply.ts';
import type { Intent } from '../intent.ts';
import { fence, sorry } from '../phrasing.ts';
import { firstLines } from '../reading.ts';
import type { Scene } from '../scene.ts';
import { call, callsTo, lastCall } from '../tool-calls.ts';
import { lookUpNote } from './note-lookup.ts';

const maxSearches = 3;
const smallWords = new Set(
  'about after again been before could does doing done from have here into know many much must notes note said should some tell than that their them then there they this those what when where which will with would your please'.split(
    ' ',
  ),
);

const readByName: Intent = {
  name: 'read a note by its name',
  example: 'What is on my shopping list?',
  needs: [['read_file'], ['list_directory', 'search_files']],
  next(scene) {
    const called =
      /\b(?:read|open|show)\b(?: me)? ((?:my|the|our) .+)/i.exec(scene.said)?.[1] ??
      /\bwhat(?:'s|’s| is| stands) (?:on|in) ((?:my|the|our) .+)/i.exec(scene.said)?.[1];
    if (called === undefined) return undefined;
    const read = lastCall(scene, 'read_file');
    const lookup = lookUpNote(scene, called);
    if (lookup.state === 'looking') return lookup.parts;
    if (lookup.state === 'nowhere') return [sayInWords(`I couldn't find a note called “${lookup.name}”.`)];
    if (read === undefined) return [call(scene, 'read_file', { path: lookup.path })];
    if (read.failed) return [sorry(`I couldn't read ${lookup.path}`, read)];
    return [sayInWords(`${lookup.path} says:\n\n${read.result.trim()}`)];
  },
};

const answerFromNotes: Intent = {
  name: 'answer from the notes',
  example: 'When is the seed swap?',
  needs: [['search_files']],
  next(scene) {
    const words = /^\s*(?:what|when|where|who|which|how|why|do|did|is|are)\b|\?\s*$/i.test(scene.said)
      ? keywords(scene)
      : [];
    if (words.length === 0) return undefined;
    const searches = callsTo(scene.done, 'search_files');
    const last = searches.at(-1);
    if (last?.failed === true) return [sorry('The search failed', last)];
    if (last !== undefined && mentions(last.result, words[searches.length - 1])) {
      return [sayInWords(`Here is what your notes say:\n\n${fence(firstLines(last.result, 6))}`)];
    }
    const next = words[searches.length];
    if (next !== undefined) return [call(scene, 'search_files', { query: next, path: '.' })];
    return [
      sayInWords(
        `I searched your notes for ${words.map((word) => `“${word}”`).join(', ')} and found nothing.`,
      ),
    ];
  },
};

export const noteQuestionIntents: readonly Intent[] = [readByName, answerFromNotes];

/** The longest words first, because they are usually the most specific. */
function keywords(scene: Scene): readonly string[] {
  const words = scene.said.match(/[\p{L}\p{N}]{4,}/gu) ?? [];
  const specific = [...new Set(words)].filter((word) => !smallWords.has(word.toLowerCase()));
  return specific
    .toSorted((a, b) => b.length - a.length)
    .slice(0, maxSearches)
    .map((word) => word.toLowerCase());
}

function mentions(result: string, word: string | undefined): boolean {
  return word !== undefined && /\S+\.\w+/.test(result) && result.toLowerCase().includes(word.toLowerCase());
}
