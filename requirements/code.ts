// Claude Code in the browser: frames, sessions, terminal, permissions, session list.
import { promisesOf } from './requirement.ts';

export const code = promisesOf(2, {
  // Proxying
  'code.proxy.verbatim': "The program's frames reach the browser byte for byte.",
  'code.proxy.unknown-types': 'A message of an unknown type passes through unchanged.',
  'code.proxy.control-stays-inside':
    'Frames of the control protocol stay between the server and the program.',
  'code.proxy.round-trip':
    'What the program wrote, what the client received and what the transcript holds are the same messages.',
  'code.proxy.own-messages-apart': "Parley's own messages differ from the program's by their type.",

  // Sessions
  'code.session.mode-ui': 'A session without a mode runs in UI mode with structured messages.',
  'code.session.mode-cli': "A session in CLI mode carries the program's own screen as raw terminal bytes.",
  'code.session.status': 'The entry of a session says whether it is archived, active or dead.',
  'code.session.create':
    'A session is created with working directory, title, mode and, optionally, the session to resume.',
  'code.session.unknown-fields': 'Unknown fields of a body are ignored.',
  'code.session.create-is-lazy': 'Creating a session does not start the program.',
  'code.session.work-roots':
    'A working directory outside the allowed roots is refused with 403 and a message.',
  'code.session.resume-own-directory': 'A resumed session runs in its own working directory.',
  'code.session.activate-on-connect': 'The first WebSocket client starts the program.',
  'code.session.activate-on-message': 'The first message starts the program.',
  'code.session.activate-once': 'Clients that connect at the same time share one process.',
  'code.session.sleep-and-wake':
    'An idle process is put to sleep, and the next prompt wakes the session where it left off.',

  // Terminal
  'code.terminal.bytes': "Typed bytes go to the program's terminal, and its output comes back as bytes.",
  'code.terminal.resize': "A resize message changes the size of the program's terminal.",
  'code.terminal.backlog': 'A viewer that joins late first gets a bounded backlog of the screen.',

  // Messages
  'code.messages.typed-views':
    'Each known kind of message has a typed view; every other message is an unknown message.',
  'code.messages.useful-content': 'Each message says whether it has content worth showing.',
  'code.messages.raw-preserved': 'A parsed message returns its original JSON text.',
  'code.messages.result-cost': 'A result reports cost and duration of the turn.',

  // WebSocket
  'code.ws.text': 'A `text` message is sent to the program as a prompt.',
  'code.ws.cached-then-live': 'A new client gets the messages so far and then the live ones.',
  'code.ws.uuid-dedupe': 'A message that is both in the history and live is sent once.',
  'code.ws.all-clients': 'All clients of a session get the same messages in the same order.',
  'code.ws.resume': 'A client that reconnects with its last number gets each later message once.',
  'code.ws.permission-response': 'A `permission_response` settles the request it names.',
  'code.ws.question-answer':
    'A `question_answer` answers a question of the program, by its text or position, in the same process.',
  'code.ws.question-unknown':
    'An answer to a question that was not asked is refused, and the question stays open.',
  'code.ws.interrupt': 'An `interrupt` stops the running operation, and the session stays usable.',
  'code.ws.set-model': 'A `set_model` changes the model of the running session.',
  'code.ws.control-request':
    'A permission request arrives as `control_request` with request id, tool name and tool input.',
  'code.ws.control-request-joining': 'A client that joins gets each open request as one `control_request`.',
  'code.ws.control-settled': 'However a permission request ends, its end arrives as `control_settled`.',
  'code.ws.todo-update': "The program's task list arrives as `todo_update`, with the program's own fields.",
  'code.ws.connected': 'A new client first gets `connected`.',
  'code.ws.error': 'A failure arrives as `error` with a message.',
  'code.ws.queue-update': 'The waiting prompts arrive as `queue_update` whenever they change.',

  // Permissions
  'code.permission.blocks-tool': 'A tool that needs permission waits until somebody decides.',
  'code.permission.reaches-all': 'A request reaches every client that watches the session.',
  'code.permission.allow': 'Allow lets the tool run.',
  'code.permission.deny-with-message': 'Deny keeps the tool from running and sends the message to the model.',
  'code.permission.settles-once': 'A request settles once: the first of two answers counts.',
  'code.permission.unknown-answer-ignored': 'An answer that is late or names an unknown request is ignored.',
  'code.permission.bound':
    'An answer counts only for its own session, turn, tool and input, and only from a person who may decide.',
  'code.permission.always-allow': 'After "always for this session" the same tool is allowed without asking.',
  'code.permission.always-settles-pending':
    '"Always for this session" also allows the waiting requests for the same tool.',
  'code.permission.no-answer-is-no-allow': 'A request that nobody answers is never allowed.',
  'code.permission.process-end-clears':
    'When the turn or the program ends, its open requests are closed with the reason.',

  // Session list
  'code.index.lazy': 'The session list reads the transcripts on first access, not at startup.',
  'code.index.dedupe': 'Sessions that begin with the same first message are listed as one.',
  'code.index.pages': 'The list is paged by cursor, and pages stay correct while files change.',
  'code.index.first-prompt': 'An entry shows title and first prompt.',
  'code.index.watch': 'A session started elsewhere appears in the list by itself.',
  'code.index.kept-cache': 'After a restart only changed transcripts are read again.',

  // History
  'code.history.raw-lines': 'The history returns the lines of the transcript verbatim and in order.',
  'code.history.pages-backwards': 'The history is paged backward from its end.',

  // Notifications
  'code.notifications.title-changed': 'A changed title sends `claude-session-updated`.',
  'code.notifications.only-title-changes':
    'Other writes to a transcript do not send `claude-session-updated`.',

  // The live connection of a page
  'code.live.subscriptions':
    'One connection follows any number of sessions, joins and leaves them, and learns how they end.',
  'code.live.resume':
    'A subscription after a number continues there with no gap, or says that the events are gone.',
  'code.live.foreign': 'A session of somebody else and one that does not exist get the same answer.',
  'code.live.bounded': 'The number of subscriptions of one connection is limited.',
  'code.live.bad-messages':
    'A message that cannot be read is refused with a sentence, and the connection stays open.',
  'code.live.presence':
    'Pages learn how many pages show their session, and how many of them somebody is looking at.',
  'code.live.notifications': "The connections of a person carry that person's notifications.",
  'code.live.policy':
    'The upgrade needs credentials, and a connection is closed when its login ends or the server stops.',
  'code.live.refused-upgrade': 'A refused upgrade closes its socket, whatever the client does with its half.',
});
