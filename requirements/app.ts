// The web app, and what conversations can do at every door: attachments, versions, export, cost.
import { promisesOf } from './requirement.ts';

export const app = promisesOf(7, {
  // Attachments
  'app.attachments.documents': 'PDFs and text files reach the model as documents with their names.',
  'app.attachments.limits':
    'A file that a model cannot read is refused before it is sent, with a sentence: other kinds, locked PDFs, more than 100 pages, too many bytes.',
  'app.attachments.work-folder':
    'For Claude Code, any file goes to a folder of its own in the work folder, and the prompt names its path.',
  'app.attachments.work-folder-safe':
    'Placing a file never overwrites one, never leaves the work folder, and keeps out of git.',
  'app.attachments.kept':
    'History, branches and downloads keep files; events carry their names and sizes, not their bytes.',
  'app.attachments.bots': 'Files that people send to a bot reach the model as well.',
  'app.attachments.composer':
    'Files are attached by picker, paste and drop, shown with their size, removed, and kept with the draft.',

  // Versions
  'app.versions.any':
    'Any earlier prompt can be edited and any answer asked for again, with both engines, and arrows lead between the versions.',
  'app.versions.fork': 'A fork continues from any message in a session of its own, with both engines.',

  // Export
  'app.export.formats':
    'A conversation of either engine can be exported as Markdown, JSON and HTML, whole or in selected turns.',
  'app.export.safe-html':
    'An exported page loads nothing, runs nothing, and shows whatever was said as text.',
  'app.export.bounded': 'An export streams, in bounded memory, however long the session is.',

  // Cost and context
  'app.context.parts':
    'The app shows what fills the context and which tokens cost how much, for both engines.',
  'app.context.compact':
    'Compacting replaces what the model reads by a summary, for both engines; the messages stay in the conversation.',
  'app.context.warning': 'The app warns when most of the context is used.',
});
