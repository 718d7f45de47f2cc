// Search everywhere, and organizing sessions.
import { promisesOf } from './requirement.ts';

export const search = promisesOf(7, {
  // The index of transcripts
  'search.transcripts.messages':
    'A search in Claude Code sessions finds what people and the model said, the newest first, by words and the start of the last one.',
  'search.transcripts.own':
    'A search finds only what is in the own transcripts and in sessions that others share, and follows no links.',
  'search.transcripts.resumes':
    'The index of transcripts grows in the background, continues after a restart, and reads only what was added.',
  'search.transcripts.forgets': 'What was deleted or rewritten is no longer found.',
  'search.transcripts.bounded': 'The index is bounded, for each session and for each person.',

  // The palette
  'search.palette.everything':
    'One palette finds commands, settings, conversations, sessions, recipes, files and messages, in groups, by keyboard and on a phone.',
  'search.palette.recent': 'An empty palette shows what was used last.',
  'search.palette.streams':
    'What a source finds is shown as soon as it arrives, and a new query cancels the one before.',

  // In a conversation
  'search.session.find':
    'Text is found in a whole conversation, of both engines, with next and previous, even where it is not loaded yet.',

  // Organizing
  'organize.marks.own':
    'Everybody pins, tags and archives sessions for themselves, as far as they may see them; nobody else notices.',
  'organize.delete.undo':
    'Deleted sessions are hidden at once and can be brought back as they were for half a minute, even after a restart.',
  'organize.delete.final': 'After that they are gone for good, even if the server stopped in between.',
  'organize.delete.working': 'A session that works, or has prompts waiting, is not deleted with others.',
  'organize.list':
    'The list shows what is pinned first, then groups by day or project; several are archived, tagged or deleted at once, by keyboard and on a phone.',
});
