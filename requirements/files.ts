// Files and changes in the app.
import { promisesOf } from './requirement.ts';

export const files = promisesOf(7, {
  // Files
  'app.files.list.pages':
    'A folder is listed in parts, folders first, without reading what is in its files; a long list is read from the disk once.',
  'app.files.read.part': 'A text file is read in parts that end between characters.',
  'app.files.read.kind': 'The type of a file is detected from its bytes, not from its name.',
  'app.files.save.conflict':
    'Saving replaces exactly the version that was read; otherwise it is refused as a conflict and nothing changes.',
  'app.files.save.atomic': 'A file always has its old or its new content, and keeps its permissions.',
  'app.files.upload':
    'A file is uploaded unchanged, up to a limit, and replaces another one only on request.',
  'app.files.download':
    'A file is downloaded as an attachment that browsers do not display, whole or in a range.',
  'app.files.search.names': 'Files and folders are found by the letters of their path, best matches first.',
  'app.files.search.content': 'Lines are found by text or regular expression, within limits.',
  'app.files.search.ignored': 'A search in a working directory leaves out what its ignore files name.',
  'app.files.inside':
    'No path leads out of the working directory or the notes: not `..`, not links as leaf or parent, not a folder that is swapped in the meantime.',
  'app.files.hostile':
    'Files with hostile names can be listed, read and saved; pipes, devices and links are refused.',
  'app.files.hidden':
    "What belongs to Parley or to others does not exist for people who look at a folder around it, and a repository's internal files are not shown.",
  'app.files.protected': 'Files that make programs run something are not written.',

  // Files on the page
  'app.files.page.tree':
    'A tree next to the conversation works with mouse and keyboard, and draws only the rows in view.',
  'app.files.page.hostile': 'A misleading name is shown with its invisible characters written out.',
  'app.files.page.view': 'A file is shown with colors, Markdown also rendered, and pictures as pictures.',
  'app.files.page.search': 'Files are found by name, and lines by content; a found line opens at its place.',
  'app.files.page.edit':
    'A file is edited and saved; if somebody else has saved it in the meantime, the person decides which version stays.',
  'app.files.page.upload':
    'Files that are dropped on a folder are uploaded there, and every file can be downloaded.',
  'app.files.page.mention': 'An `@` in a message completes files and folders.',
  'app.files.page.path': 'A path in an answer opens the file at the line.',
  'app.files.page.phone': 'On a phone, files cover the conversation until they are closed.',
  'app.files.page.notes': "A person's notes are shown and saved in the same way next to their chats.",

  // Changes
  'app.changes.list':
    'The changes of a session are listed file by file with their lines: new, changed, deleted and renamed files.',
  'app.changes.since':
    'Changes are compared with the start of the last turn, with the start of the session, or with the last commit.',
  'app.changes.untouched':
    'Looking at changes and recording the state of a folder change nothing in the repository.',
  'app.changes.hostile':
    'Hostile names, binary files, huge diffs, pipes, links and nested repositories are shown or left out, never followed.',
  'app.changes.commit': 'Files are included in the next commit or left out, and committed by the person.',
  'app.changes.discard': 'Files are restored to the last commit; new ones are deleted, and others stay.',
  'app.changes.merge': 'A merge with conflicts is shown as such and can be finished.',
  'app.changes.inside':
    'Nothing outside of the working directory is shown or changed, and no repository that leads elsewhere is used.',
  'app.changes.no-programs':
    'Nothing that a repository names is run: no hook, filter, driver, helper, alias or monitor, whether or not somebody trusts the folder.',
  'app.changes.filtered': 'A file that a filter would store in another form is not stored without it.',

  'app.changes.branches':
    'Branches can be listed, made and switched to, but not with uncommitted changes, and never over new files.',
  'app.changes.worktrees':
    'A session gets a working tree of its own next to its repository, which is merged or removed afterwards without losing anything.',
  'app.changes.remotes':
    'A branch is pulled and pushed where a remote is set up, within the work folders or with the person’s own keys, and nothing is run for it here or there.',

  'app.changes.rewind':
    "Files that the program's tools wrote go back to how they were before a message, after a question that names them.",

  // Changes on the page
  'app.changes.page.list':
    'Next to files, the panel lists what changed since the last turn, the session or the last commit, and follows the turns.',
  'app.changes.page.diff':
    'The changed lines of a file are shown with colors in one column or two; only those in view are drawn.',
  'app.changes.page.commit': 'Ticked files stay ticked and are committed with a suggested message.',
  'app.changes.page.discard': 'Changes are discarded only after a question.',
  'app.changes.page.branches': 'The branch menu makes branches and switches between them.',
  'app.changes.page.remote': 'The branch menu pulls and pushes, and says what stands in the way.',
  'app.changes.page.worktrees':
    'A session can start in its own working tree, which is merged or removed from the branch menu.',
  'app.changes.page.phone': 'Changes work on a phone, by keyboard and in German.',
});
