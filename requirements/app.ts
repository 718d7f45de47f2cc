// The web app, and what sessions can do at every door: attachments, versions, export, cost.
import { promisesOf } from './requirement.ts';

export const app = promisesOf(7, {
  // Attachments
  'app.attachments.documents': 'PDFs and text files reach the model as documents with their names.',
  'app.attachments.limits':
    'A file that a model cannot read is refused before it is sent, with a message: other kinds, locked PDFs, more than 100 pages, too many bytes.',
  'app.attachments.work-folder':
    'For Claude Code, any file goes to a folder of its own in the work folder, and the prompt names its path.',
  'app.attachments.work-folder-safe':
    'Placing a file never overwrites one, never leaves the work folder, and keeps out of git.',
  'app.attachments.kept':
    'History, branches and downloads keep files; events carry their names and sizes, not their bytes.',
  'app.attachments.bots': 'Files that people send to a bot reach the model as well.',
  'app.attachments.composer':
    'Files can be attached by picker, paste and drop and removed again; they are shown with their size and kept with the draft.',

  // Versions
  'app.versions.any':
    'Any earlier prompt can be edited and any answer asked for again, with both engines, and arrows switch between the versions.',
  'app.versions.fork': 'A fork continues from any message in a session of its own, with both engines.',

  // Export
  'app.export.formats':
    'A session of either engine can be exported as Markdown, JSON and HTML, whole or in selected turns.',
  'app.export.safe-html':
    'An exported page loads nothing, runs nothing, and shows whatever was said as text.',
  'app.export.bounded': 'An export streams, in bounded memory, however long the session is.',

  // Links
  'app.links.read': 'A link shows chosen turns of a session without a login, and nothing that is said later.',
  'app.links.safe':
    'The page of a link loads and runs nothing, is kept out of search engines, and is rate-limited.',
  'app.links.masked': 'Keys, tokens and passwords in obvious forms are masked on the page of a link.',
  'app.links.ends':
    'A link ends when it expires, is withdrawn, or is forbidden, and looks like one that never existed.',
  'app.links.role':
    'Only the owner of a session makes links to it, if their role allows it; the secret is not stored.',
  'app.links.page': 'People make, copy, list and withdraw links where they share a session.',

  // First steps and help
  'app.first-steps.leave-demo':
    'The app leaves the demo with a key that it has checked, or with the program’s login; the passphrase stays the same, and the server restarts itself.',
  'app.first-steps.safe':
    'A key that is not accepted changes nothing, and a key appears in no response, log, page or demo data.',
  'app.first-steps.page':
    'Three steps in the app connect Claude, add people and choose a folder; they can be skipped and resumed, and do not come back once finished.',
  'app.help.tour':
    'A tour with five stops shows the app, works with keyboard and screen reader, and can be repeated from the help menu.',
  'app.help.report':
    '“Report a problem” shows everything that a report contains before it is copied or saved, without secrets, and sends nothing.',
  'app.looks':
    'Every page looks like its stored picture, on a desktop and a phone, until somebody stores a new one.',
  'app.new-devices': 'With default limits, a family can open the app on six new devices within a minute.',
  'app.first-load':
    'The page loads at most 200 KB of compressed JavaScript before split parts, and no validation library.',

  // Without a network
  'app.offline.shell': 'The app can be installed, and all of its pages open without a network.',
  'app.offline.read': 'Without a network, the sessions that were read last can be read again.',
  'app.offline.private':
    'What is kept for reading belongs to one person, is bounded, and is deleted after a logout or when somebody else uses the browser.',
  'app.offline.upgrade':
    'A new version takes over as a whole, and open pages of the old version still find their parts.',

  // Notifications
  'app.push.needs-you':
    'While no page is open, a permission is asked for on the person’s devices, with Allow and Deny if that is all it needs.',
  'app.push.one-use':
    'The token of a notification answers one permission of one person, once; a late, repeated or forged one changes nothing.',
  'app.push.kinds': 'Devices are notified of what is done, what failed, and mentions in shared sessions.',
  'app.push.choices': 'People choose the kinds, mute sessions, and set quiet hours in their time zone.',
  'app.push.looking': 'Nothing is sent about a session that the person is looking at.',
  'app.push.device':
    'A device gets notifications as long as its login lasts and belongs to the person; devices that are gone are removed.',
  'app.push.retries': 'A request to a failing push service is retried a bounded number of times.',
  'app.push.guarded': 'Notifications are sent only to push services on the Internet, or to configured ones.',
  'app.push.encrypted': 'Only the browser can read a notification.',
  'app.push.browser': 'The service worker shows notifications, opens their page, and answers permissions.',

  // Cost and context
  'app.context.parts':
    'The app shows what fills the context and what each kind of token costs, for both engines.',
  'app.context.compact':
    'Compacting replaces what the model reads with a summary, for both engines; the messages stay in the session.',
  'app.context.warning': 'The app warns when most of the context is used.',
});
