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
  'code.session.failed-prompt':
    'A prompt that failed before it was answered is not sent to the model with the next one.',
  'code.session.versions':
    'A prompt can replace an earlier one: a new session continues from the point before it, and the transcript of the old one stays as it is.',
  'code.session.activate-on-message': 'The first message starts the program.',
  'code.session.activate-once': 'Clients that connect at the same time share one process.',
  'code.session.not-resumable':
    'A transcript that the program refuses to resume stays as it is; the session shows it and says why it cannot continue.',
  'code.turn.not-written': 'A turn that the program could not write to its transcript says so.',
  'code.turn.bounded':
    'A turn may be of any length: all of it streams, a limited part of it is kept, and a notice says so.',
  'code.session.sleep-and-wake':
    'An idle process is put to sleep, and the next prompt wakes the session where it left off.',

  // Terminal
  'code.terminal.take-over':
    'The page and the terminal can take over a session from each other, and messages, model and cost are right afterwards.',
  'code.terminal.bytes': "Typed bytes go to the program's terminal, and its output comes back as bytes.",
  'code.terminal.resize': "A resize message changes the size of the program's terminal.",
  'code.terminal.backlog': 'A viewer that joins late first gets a bounded backlog of the screen.',

  // Messages
  'code.messages.typed-views':
    'Each known kind of message has a typed view; every other message is an unknown message.',
  'code.messages.useful-content': 'Each message says whether it has content worth showing.',
  'code.messages.raw-preserved': 'A parsed message returns its original JSON text.',
  'code.messages.cost-kept':
    'What a turn cost stays in its place after a restart of the server, and in a fork.',
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
  'code.permission.suggested-rule':
    'The narrower rule that the program suggests can be allowed for the session; other calls of the tool are still asked about.',
  'code.permission.keys':
    'A permission is answered by its buttons or by keys with a modifier; a letter typed on the page decides nothing.',
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
  'code.index.watch': 'A session started elsewhere appears in the list automatically.',
  'code.index.unreadable': 'The list says which folders of transcripts cannot be read.',
  'code.index.kept-cache': 'After a restart only changed transcripts are read again.',

  // History
  'code.history.raw-lines': 'The history returns the lines of the transcript verbatim and in order.',
  'code.history.pages-backwards': 'The history is paged backward from its end.',

  // Folders that nobody trusts
  'code.trust.runs-nothing':
    'Nothing that an untrusted folder configures takes effect (hooks, MCP servers, helper commands, variables, scheduled prompts): not when a session is opened, resumed or forked, not from a warm process, and not in the terminal.',
  'code.trust.looks-everywhere':
    'What counts is everything the program would use: the folder, those above it, the git root, and the main checkout of a linked working tree.',
  'code.trust.once': 'A person trusts exactly the configuration that was shown, once, even across restarts.',
  'code.trust.revoked-by-change':
    'A change to what the folder would run ends the trust, even for a process that is already awake.',
  'code.trust.nothing-to-run': 'A folder that runs nothing needs no trust and keeps its CLAUDE.md.',
  'code.trust.told': 'Every door says once that the configuration of the folder is not used.',
  'code.trust.card':
    'The page lists what the folder would run, says what is not loaded until it is trusted, and offers to trust it.',

  // A program home for each person
  'code.homes.own':
    'Each process runs for one person, with a folder of its own for transcripts, login and settings. The owner of sessions that were started outside of Parley uses the folder of the user who runs Parley.',
  'code.homes.index':
    "Transcripts in a person's folder belong to that person, and sessions started outside of Parley to the owner. Lists, searches and changes show nobody else's.",
  'code.homes.moved':
    'Sessions from the time when all people shared one folder stay reachable: they move to the folder of their person.',
  'code.homes.warm': 'A process that is kept warm for a new session is for one person.',
  'code.homes.login':
    'Without an API key, nobody uses the login of the user who runs Parley, except the owner, unless it is shared on purpose.',

  // The sandbox
  'code.sandbox.modes':
    '`auto` uses a sandbox if this machine has one, `required` starts nothing without one, and `off` uses none; for all work roots or for single ones.',
  'code.sandbox.sees':
    "A program sees its work folder, the person's own folder and the system, read-only. It sees neither Parley's data, nor other people's notes, configuration and work folders, nor other processes.",
  'code.sandbox.writes': 'A program changes nothing outside of its work folder and the person’s own folder.',
  'code.sandbox.escapes':
    'Neither the program nor its children can escape through links, /proc, mounts, tracing, setuid programs or signals.',
  'code.sandbox.settings':
    'Programs in the sandbox note their own things in a copy of the settings of the user who runs Parley, and see what that user changes.',
  'code.sandbox.replaced':
    'A work folder that is replaced by a link while a program starts gives the program nothing else.',
  'code.sandbox.orphans':
    'Everything in the sandbox ends with the program, and with the server however it ends.',
  'code.sandbox.program':
    'The claude program works in it: turns, tools, permissions, MCP servers of chats, resuming, forks, and the terminal.',
  'code.sandbox.stops': 'A program in a sandbox is asked to end before it is killed.',
  'code.sandbox.git':
    'A linked git working tree works if its repository is below the same work root and knows it.',
  'code.sandbox.shown':
    'The API and the pages say which sandbox applies to a folder and a session, and why there is none.',
  'code.sandbox.doctor': 'The doctor tries the sandbox, and says what is missing and how to get it.',
  'code.session.root-people': 'A work root can be for some people only; for others it does not exist.',

  // The relay that holds the API key
  'code.relay.key':
    'The API key is not in the environment of the program or of anything that it starts; requests get it outside of them.',
  'code.relay.token':
    'Each process gets its own token, which works only on loopback, only for asking models, and only while it lives.',
  'code.relay.streams': 'Events pass through as they arrive.',
  'code.relay.aborts': 'When the program gives up a request, the request to the API is aborted too.',
  'code.relay.limits': 'A request that the API would refuse for its size is refused.',
  'code.relay.errors': 'Errors of the API pass through unchanged, and a lost connection is reported as one.',
  'code.relay.counts': 'Tokens and cost of every answer are counted, and those of terminals are recorded.',
  'code.relay.budget': 'A request can be refused before it costs anything.',
  'code.relay.own-login': 'With its own login, the program reaches the API directly, as before.',

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
  'code.live.memory':
    'The bytes of messages that wait in memory are limited, for each person and for all; a socket that sends more is closed.',
  'code.live.refused-upgrade': 'A refused upgrade closes its socket, whatever the client does with its half.',
});
