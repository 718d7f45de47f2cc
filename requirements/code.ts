// What Parley promises of Claude Code in the browser: frames, sessions, terminal, permissions, session list.
import type { Requirement } from './requirement.ts';

export const code: readonly Requirement[] = [
  // Proxying
  {
    id: 'code.proxy.verbatim',
    seed: 2,
    heading: 'Core Principle: Proxy Only',
    promise: 'Frames of the program reach the browser byte for byte.',
  },
  {
    id: 'code.proxy.unknown-types',
    seed: 2,
    heading: 'Core Principle: Proxy Only',
    promise: 'A message of an unknown type passes through unchanged.',
  },
  {
    id: 'code.proxy.control-stays-inside',
    seed: 2,
    heading: 'Core Principle: Proxy Only',
    promise: "The control protocol's own frames stay between the server and the program.",
  },
  {
    id: 'code.proxy.round-trip',
    seed: 2,
    heading: 'Testing',
    promise:
      'What the program wrote, what the client received and what the transcript holds are the same messages.',
  },
  {
    id: 'code.proxy.own-messages-apart',
    seed: 2,
    heading: 'Adding a New WebSocket Message Type',
    promise: "Messages of our own are told apart from the program's by their type.",
  },

  // Sessions
  {
    id: 'code.session.mode-ui',
    seed: 2,
    heading: 'Two Operation Modes',
    promise: 'A session without a mode runs in UI mode with structured messages.',
  },
  {
    id: 'code.session.mode-cli',
    seed: 2,
    heading: 'Two Operation Modes',
    promise: "A session in CLI mode carries the program's own screen as raw terminal bytes.",
  },
  {
    id: 'code.session.status',
    seed: 2,
    heading: 'Session Structure',
    promise: 'A session is archived, active or dead, and its entry says which.',
  },
  {
    id: 'code.session.create',
    seed: 2,
    heading: 'Creation',
    promise:
      'A session is created with working directory, title, mode and, if wished, the session to resume.',
  },
  {
    id: 'code.session.create-is-lazy',
    seed: 2,
    heading: 'Creation',
    promise: 'Creating a session does not start the program.',
  },
  {
    id: 'code.session.work-roots',
    seed: 2,
    heading: 'Creation',
    promise: 'A working directory outside the allowed roots is refused with 403 and a sentence.',
  },
  {
    id: 'code.session.resume-own-directory',
    seed: 2,
    heading: 'Creation',
    promise: 'A resumed session runs in its own working directory.',
  },
  {
    id: 'code.session.activate-on-connect',
    seed: 2,
    heading: 'Activation (Lazy)',
    promise: 'The first WebSocket client starts the program.',
  },
  {
    id: 'code.session.activate-on-message',
    seed: 2,
    heading: 'Activation (Lazy)',
    promise: 'The first message starts the program.',
  },
  {
    id: 'code.session.activate-once',
    seed: 2,
    heading: 'Activation (Lazy)',
    promise: 'Clients that come at the same time share one process.',
  },
  {
    id: 'code.session.sleep-and-wake',
    seed: 2,
    heading: 'Activation (Lazy)',
    promise: 'An idle process is put to sleep, and the next prompt wakes the session where it was.',
  },

  // Terminal
  {
    id: 'code.terminal.bytes',
    seed: 2,
    heading: 'SDK vs Legacy Activation',
    promise: "Bytes typed go to the program's terminal, and its output comes back as bytes.",
  },
  {
    id: 'code.terminal.resize',
    seed: 2,
    heading: 'SDK vs Legacy Activation',
    promise: "A resize message changes the size of the program's terminal.",
  },
  {
    id: 'code.terminal.backlog',
    seed: 2,
    heading: 'SDK vs Legacy Activation',
    promise: 'A late viewer first gets a bounded backlog of the screen.',
  },

  // Messages
  {
    id: 'code.messages.typed-views',
    seed: 2,
    heading: 'Message Type Registry',
    promise: 'Each known kind of message has a typed view, and every other is an unknown message.',
  },
  {
    id: 'code.messages.useful-content',
    seed: 2,
    heading: 'Message Type Registry',
    promise: 'Each message says whether it has content that is worth showing.',
  },
  {
    id: 'code.messages.raw-preserved',
    seed: 2,
    heading: 'Message Preservation',
    promise: 'A parsed message gives back its original JSON text.',
  },
  {
    id: 'code.messages.result-cost',
    seed: 2,
    heading: 'Message Types',
    promise: 'A result tells cost and duration of the turn.',
  },

  // WebSocket
  {
    id: 'code.ws.text',
    seed: 2,
    heading: 'Outgoing (Browser → Claude)',
    promise: 'A `text` message is sent to the program as a prompt.',
  },
  {
    id: 'code.ws.cached-then-live',
    seed: 2,
    heading: 'Incoming (Claude → Browser)',
    promise: 'A new client gets the messages so far and then the live ones.',
  },
  {
    id: 'code.ws.uuid-dedupe',
    seed: 2,
    heading: 'UUID Deduplication',
    promise: 'A message that is both in the history and live is sent once.',
  },
  {
    id: 'code.ws.all-clients',
    seed: 2,
    heading: 'Incoming (Claude → Browser)',
    promise: 'All clients of a session get the same messages in the same order.',
  },
  {
    id: 'code.ws.resume',
    seed: 2,
    heading: 'Incoming (Claude → Browser)',
    promise: 'A client that reconnects with its last number gets each later message once.',
  },
  {
    id: 'code.ws.permission-response',
    seed: 2,
    heading: 'Client → Server',
    promise: 'A `permission_response` settles the request it names.',
  },
  {
    id: 'code.ws.question-answer',
    seed: 2,
    heading: 'Client → Server',
    promise: 'A `question_answer` answers a question of the program in the same process.',
  },
  {
    id: 'code.ws.interrupt',
    seed: 2,
    heading: 'Client → Server',
    promise: 'An `interrupt` stops the running operation, and the session stays usable.',
  },
  {
    id: 'code.ws.set-model',
    seed: 2,
    heading: 'Client → Server',
    promise: 'A `set_model` changes the model of the running session.',
  },
  {
    id: 'code.ws.control-request',
    seed: 2,
    heading: 'Server → Client',
    promise: 'A permission request arrives as `control_request` with request id, tool name and tool input.',
  },
  {
    id: 'code.ws.control-settled',
    seed: 2,
    heading: 'Server → Client',
    promise: 'The end of a permission request, however it came, arrives as `control_settled`.',
  },
  {
    id: 'code.ws.todo-update',
    seed: 2,
    heading: 'Server → Client',
    promise: "The program's task list arrives as `todo_update`.",
  },
  {
    id: 'code.ws.connected',
    seed: 2,
    heading: 'Server → Client',
    promise: 'A new client is greeted with `connected`.',
  },
  {
    id: 'code.ws.error',
    seed: 2,
    heading: 'Server → Client',
    promise: 'A failure arrives as `error` with a sentence.',
  },
  {
    id: 'code.ws.queue-update',
    seed: 2,
    heading: 'Server → Client',
    promise: 'The waiting prompts arrive as `queue_update` whenever they change.',
  },

  // Permissions
  {
    id: 'code.permission.blocks-tool',
    seed: 2,
    heading: 'Permission Handling',
    promise: 'A tool that needs a permission waits until somebody decides.',
  },
  {
    id: 'code.permission.reaches-all',
    seed: 2,
    heading: 'Permission Handling',
    promise: 'A request reaches every client that watches the session.',
  },
  {
    id: 'code.permission.allow',
    seed: 2,
    heading: 'Permission Response Structure',
    promise: 'Allow lets the tool run.',
  },
  {
    id: 'code.permission.deny-with-message',
    seed: 2,
    heading: 'Permission Response Structure',
    promise: 'Deny keeps the tool from running and gives the model the message.',
  },
  {
    id: 'code.permission.settles-once',
    seed: 2,
    heading: 'SendControlResponse',
    promise: 'A request settles once: of two answers the first counts.',
  },
  {
    id: 'code.permission.unknown-answer-ignored',
    seed: 2,
    heading: 'SendControlResponse',
    promise: 'An answer that is late, or to an unknown request, does nothing.',
  },
  {
    id: 'code.permission.bound',
    seed: 2,
    heading: 'SendControlResponse',
    promise:
      'An answer counts only for its own session, turn, tool and input, and only from a person who may decide.',
  },
  {
    id: 'code.permission.always-allow',
    seed: 2,
    heading: 'Permission Callback Pattern',
    promise: 'After "always for this session" the same tool is allowed without a question.',
  },
  {
    id: 'code.permission.always-settles-pending',
    seed: 2,
    heading: 'SendControlResponse',
    promise: '"Always for this session" also allows the waiting requests for the same tool.',
  },
  {
    id: 'code.permission.no-answer-is-no-allow',
    seed: 2,
    heading: 'Permission Callback Pattern',
    promise: 'A request that nobody answers is never allowed.',
  },
  {
    id: 'code.permission.process-end-clears',
    seed: 2,
    heading: 'Permission Callback Pattern',
    promise: 'When the turn or the program ends, its open requests are closed with the reason.',
  },

  // Session list
  {
    id: 'code.index.lazy',
    seed: 2,
    heading: 'Features',
    promise: 'The session list reads the transcripts on the first access, not at start.',
  },
  {
    id: 'code.index.dedupe',
    seed: 2,
    heading: 'Features',
    promise: 'Sessions that begin with the same first message are listed as one.',
  },
  {
    id: 'code.index.pages',
    seed: 2,
    heading: 'Features',
    promise: 'The list is read in pages by cursor, which stay right while files change.',
  },
  {
    id: 'code.index.first-prompt',
    seed: 2,
    heading: 'Features',
    promise: 'An entry shows title and first prompt.',
  },
  {
    id: 'code.index.watch',
    seed: 2,
    heading: 'Features',
    promise: 'A session begun elsewhere appears in the list by itself.',
  },
  {
    id: 'code.index.kept-cache',
    seed: 2,
    heading: 'Session Index Cache',
    promise: 'After a restart only changed transcripts are read again.',
  },

  // History
  {
    id: 'code.history.raw-lines',
    seed: 2,
    heading: 'Loading History',
    promise: 'The history gives the lines of the transcript verbatim and in order.',
  },
  {
    id: 'code.history.pages-backwards',
    seed: 2,
    heading: 'Session History',
    promise: 'The history is read in pages backwards from its end.',
  },

  // Notifications
  {
    id: 'code.notifications.title-changed',
    seed: 2,
    heading: 'How It Works',
    promise: 'A changed title is told as `claude-session-updated`.',
  },
  {
    id: 'code.notifications.only-title-changes',
    seed: 2,
    heading: 'How It Works',
    promise: 'Other writes to a transcript do not tell `claude-session-updated`.',
  },
];
