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
});
