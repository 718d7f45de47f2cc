// Files and changes in the app.
import { promisesOf } from './requirement.ts';

export const files = promisesOf(7, {
  // Files
  'app.files.list.pages':
    'A folder is listed in parts, folders first, without reading what is in its files; a long list is read from the disk once.',
  'app.files.read.part': 'A text file is read in parts that end between characters.',
  'app.files.read.kind': 'What a file is depends on its bytes, not on its name.',
  'app.files.save.conflict':
    'Saving replaces exactly the version that was read; otherwise it is refused as a conflict and nothing changes.',
  'app.files.save.atomic': 'A file always has its old or its new content, and keeps its permissions.',
  'app.files.upload': 'A file is uploaded as it is, up to a limit, and replaces another one only on demand.',
  'app.files.download':
    'A file is downloaded as an attachment that no browser shows by itself, whole or in a range.',
  'app.files.search.names': 'Files and folders are found by the letters of their path, the best first.',
  'app.files.search.content': 'Lines are found by text or regular expression, within limits.',
  'app.files.search.ignored': 'A search in a working directory leaves out what its ignore files name.',
  'app.files.inside':
    'No path leads out of the working directory or the notes: not `..`, not links as leaf or parent, not a folder that is swapped meanwhile.',
  'app.files.hostile':
    'Files with hostile names can be listed, read and saved; pipes, devices and links are refused.',
  'app.files.hidden':
    "What belongs to Parley or to others does not exist for whoever looks at a folder around it, and a repository's own files are not shown.",
  'app.files.protected': 'What makes programs run something is not written.',

  // Files on the page
  'app.files.page.tree':
    'A tree next to the conversation works with mouse and keyboard, and draws only the rows in view.',
  'app.files.page.hostile': 'A name that would mislead is shown with its invisible characters written out.',
  'app.files.page.view': 'A file is shown with colors, Markdown also as it looks, and pictures as pictures.',
  'app.files.page.search': 'Files are found by name, and lines by content; a found line opens at its place.',
  'app.files.page.edit':
    'A file is edited and saved; if somebody else has saved it in the meantime, the person decides which version stays.',
  'app.files.page.upload':
    'Files that are dropped on a folder are uploaded there, and every file can be downloaded.',
  'app.files.page.mention': 'An `@` in a message completes files and folders.',
  'app.files.page.path': 'A path in an answer opens the file at the line.',
  'app.files.page.phone': 'On a phone, files cover the conversation until they are closed.',
  'app.files.page.notes': "A person's notes are shown and saved in the same way next to their chats.",
});
