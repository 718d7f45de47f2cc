// Search everywhere, and organizing sessions.
import { promisesOf } from './requirement.ts';

export const search = promisesOf(7, {
  // The index of transcripts
  'app.search.transcripts.messages':
    'A search in Claude Code sessions finds what people and the model said, the newest first, by words and the start of the last one.',
  'app.search.transcripts.own':
    'A search finds only what is in the person’s own transcripts and in sessions that others share, and follows no links.',
  'app.search.transcripts.resumes':
    'The index of transcripts grows in the background, continues after a restart, and reads only what was added.',
  'app.search.transcripts.forgets': 'What was deleted or rewritten is no longer found.',
  'app.search.transcripts.bounded': 'The index is bounded, for each session and for each person.',

  // The palette
  'app.search.palette.everything':
    'One palette finds commands, settings, conversations, sessions, recipes, files and messages, in groups, by keyboard and on a phone.',
  'app.search.palette.recent': 'An empty palette shows what was used last.',
  'app.search.palette.streams':
    'What a source finds is shown as soon as it arrives, and a new query cancels the one before.',

  // In a session
  'app.search.session.find':
    'Text is found in a whole session of either engine, with next and previous, even where it is not loaded yet.',

  // Organizing
  'app.organize.marks.own':
    'Everybody pins, tags and archives the sessions that they may see, for themselves; nobody else notices.',
  'app.organize.delete.undo':
    'Deleted sessions are hidden at once and can be brought back as they were for half a minute, even after a restart.',
  'app.organize.delete.final': 'After that they are gone for good, even if the server stopped in between.',
  'app.organize.delete.working':
    'A session that is working, or has prompts waiting, is not deleted together with others.',
  'app.organize.search': 'A search in the archive or under a tag finds only what is there.',
  'app.organize.list':
    'The list shows what is pinned first, then groups by day or project; several are archived, tagged or deleted at once, by keyboard and on a phone.',
});
