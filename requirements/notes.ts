// What Parley promises of the notes assistant: sessions, chat, NDJSON stream, tools, vault, HTTP door.
import type { Requirement } from './requirement.ts';

export const notes: readonly Requirement[] = [
  // Sessions
  {
    id: 'notes.session.create',
    seed: 1,
    heading: 'Session Functions',
    promise: 'A message without a session id starts a session with a UUID of its own.',
  },
  {
    id: 'notes.session.continue',
    seed: 1,
    heading: 'Session Functions',
    promise: "A message with the id of one's own session goes on in that session.",
  },
  {
    id: 'notes.session.unknown-id-starts-new',
    seed: 1,
    heading: 'Session Functions',
    promise: 'A message with an unknown session id starts a new session under a new id.',
  },
  {
    id: 'notes.session.clear',
    seed: 1,
    heading: 'Session Functions',
    promise: 'Clearing a session removes it, and its history is no longer found.',
  },
  {
    id: 'notes.session.clear-unknown',
    seed: 1,
    heading: 'Session Functions',
    promise: 'Clearing a session that does not exist reports that nothing was removed.',
  },
  {
    id: 'notes.session.history',
    seed: 1,
    heading: 'Session Functions',
    promise: 'The history lists the messages of a session in order, each with role and content.',
  },
  {
    id: 'notes.session.history-unknown',
    seed: 1,
    heading: 'Session Functions',
    promise: 'The history of an unknown session is empty and says "Session not found".',
  },
  {
    id: 'notes.session.foreign-id-starts-new',
    seed: 1,
    heading: 'Session Isolation',
    promise:
      "The id of another person's session starts a new session and does not reveal that the other exists.",
  },
  {
    id: 'notes.session.foreign-history-hidden',
    seed: 1,
    heading: 'Session Isolation',
    promise: "Another person's history is answered exactly as the history of an unknown session.",
  },
  {
    id: 'notes.session.foreign-clear-refused',
    seed: 1,
    heading: 'Session Isolation',
    promise: "Clearing another person's session leaves it whole.",
  },
  {
    id: 'notes.session.memory-only',
    seed: 1,
    heading: 'SessionStore',
    promise: 'With `sessions.persist` off, sessions live in memory and are gone after a restart.',
  },
  {
    id: 'notes.session.survives-restart',
    seed: 1,
    heading: 'Limitations',
    promise: 'Sessions and their history survive a restart of the server.',
  },
  {
    id: 'notes.session.one-turn-at-a-time',
    seed: 1,
    heading: 'Limitations',
    promise: 'A session runs one turn at a time.',
  },
  {
    id: 'notes.session.queue',
    seed: 1,
    heading: 'Limitations',
    promise: 'A prompt to a busy session waits in a queue that can be seen, and is answered in its order.',
  },
  {
    id: 'notes.session.queue-bound',
    seed: 1,
    heading: 'Limitations',
    promise: 'A queue that is full refuses the next prompt with a sentence instead of growing.',
  },
  {
    id: 'notes.session.idempotent-prompt',
    seed: 1,
    heading: 'Limitations',
    promise: 'A prompt sent twice with the same key is admitted once.',
  },
  {
    id: 'notes.session.crash-marks-interrupted',
    seed: 1,
    heading: 'Limitations',
    promise:
      'A turn cut off by a crash is marked interrupted after the restart, and none of its tools runs again by itself.',
  },
  {
    id: 'notes.session.subscribe-no-gap',
    seed: 1,
    heading: 'Streaming Chat',
    promise:
      'A subscriber that names the last number it saw gets every later event once: first the kept ones, then the live ones.',
  },
  {
    id: 'notes.session.turn-ends-once',
    seed: 1,
    heading: 'Streaming Chat',
    promise: 'Every turn ends with exactly one end event, which is its last, even when the engine throws.',
  },
  {
    id: 'notes.session.interrupt',
    seed: 1,
    heading: 'Streaming Chat',
    promise:
      'An interrupt stops the request to the model and the running tools, and the turn ends as interrupted.',
  },
  {
    id: 'notes.session.slow-reader-cut-off',
    seed: 1,
    heading: 'Streaming Chat',
    promise:
      'A reader that falls too far behind is cut off, disturbs nobody else, and can go on from its last number.',
  },

  // Chat
  {
    id: 'notes.chat.response',
    seed: 1,
    heading: 'Non-Streaming Chat',
    promise: 'The chat endpoint answers with success, session id, the whole response and the history.',
  },
  {
    id: 'notes.chat.history-grows',
    seed: 1,
    heading: 'Non-Streaming Chat',
    promise: "The person's message and then the assistant's answer are added to the history.",
  },
  {
    id: 'notes.chat.tool-loop',
    seed: 1,
    heading: 'Non-Streaming Chat',
    promise: 'Tool calls are run and their results go back to the model until it stops asking for tools.',
  },
  {
    id: 'notes.chat.parallel-tools',
    seed: 1,
    heading: 'Non-Streaming Chat',
    promise: 'Several tool calls in one reply run side by side, and all results go back together.',
  },
  {
    id: 'notes.chat.final-text',
    seed: 1,
    heading: 'Non-Streaming Chat',
    promise: 'The response is the text that the model wrote after it had seen the tool results.',
  },
  {
    id: 'notes.chat.tool-limit',
    seed: 1,
    heading: 'Non-Streaming Chat',
    promise:
      'After the largest allowed number of tool rounds the turn ends with a sentence instead of going on.',
  },
  {
    id: 'notes.chat.earlier-tool-results',
    seed: 1,
    heading: 'Non-Streaming Chat',
    promise: 'A follow-up is sent with the tool calls and results of earlier turns.',
  },
  {
    id: 'notes.chat.earlier-tool-results-after-restart',
    seed: 1,
    heading: 'Limitations',
    promise: 'Tool calls and results of earlier turns are still sent after a restart.',
  },
  {
    id: 'notes.chat.prompt-caching',
    seed: 1,
    heading: 'Limitations',
    promise: 'System prompt, tools and history are marked for the prompt cache.',
  },
  {
    id: 'notes.chat.trimming',
    seed: 1,
    heading: 'Limitations',
    promise:
      'Near the context limit older turns are left out with a notice; the newest stay, and no tool call is parted from its result.',
  },
  {
    id: 'notes.chat.failure',
    seed: 1,
    heading: 'Error Handling',
    promise:
      'A failed chat answers success false with a sentence, an empty response, an empty history and a fitting status.',
  },
  {
    id: 'notes.chat.retry-before-first-token',
    seed: 1,
    heading: 'Error Handling',
    promise: 'An overloaded model is asked again, after the time it named, as long as nothing was shown.',
  },
  {
    id: 'notes.chat.no-retry-after-first-token',
    seed: 1,
    heading: 'Error Handling',
    promise: 'Once a token was shown, a failing request is not repeated.',
  },

  // NDJSON stream
  {
    id: 'notes.stream.ndjson',
    seed: 1,
    heading: 'Streaming Protocol',
    promise: 'The stream is `application/x-ndjson`: one JSON object on each line.',
  },
  {
    id: 'notes.stream.text',
    seed: 1,
    heading: 'Text Delta',
    promise: 'Text arrives as `text` events with a delta.',
  },
  {
    id: 'notes.stream.live',
    seed: 1,
    heading: 'Streaming Chat',
    promise: 'Text is passed on as it arrives, before the reply is complete.',
  },
  {
    id: 'notes.stream.tool-use',
    seed: 1,
    heading: 'Tool Use',
    promise: 'A tool call arrives as a `tool_use` event with name and input.',
  },
  {
    id: 'notes.stream.session-last',
    seed: 1,
    heading: 'Session Info',
    promise: 'A complete response ends with a `session` event that carries the session id.',
  },
  {
    id: 'notes.stream.ping',
    seed: 1,
    heading: 'Ping (Keepalive)',
    promise: 'A `ping` event is sent every five seconds while the stream is open.',
  },
  {
    id: 'notes.stream.error',
    seed: 1,
    heading: 'Error',
    promise: 'A failure during the stream arrives as an `error` event with a message.',
  },
  {
    id: 'notes.stream.session-after-error',
    seed: 1,
    heading: 'Session Info',
    promise: 'The `session` event also follows an `error`.',
  },
  {
    id: 'notes.stream.order',
    seed: 1,
    heading: 'Stream Processing Example',
    promise: 'Text before a tool call, the call, text after it and the session id arrive in that order.',
  },
  {
    id: 'notes.stream.disconnect',
    seed: 1,
    heading: 'Streaming Chat',
    promise: 'A client that leaves in the middle loses nothing: the turn completes and is in the history.',
  },

  // System prompt
  {
    id: 'notes.prompt.notes-assistant',
    seed: 1,
    heading: 'System Prompt',
    promise:
      "The model gets the notes assistant's prompt: concise help, paths relative to the person's folder.",
  },
  {
    id: 'notes.prompt.untrusted-web',
    seed: 1,
    heading: 'Web Content Security',
    promise: 'The prompt says that web content is untrusted and that instructions in it are never followed.',
  },

  // Tools
  {
    id: 'notes.tools.schema',
    seed: 1,
    heading: 'Tool Schema',
    promise: 'Each tool is offered to the model with a name, a description and a JSON schema of its input.',
  },
  {
    id: 'notes.tools.bad-input',
    seed: 1,
    heading: 'Tool Execution',
    promise:
      "Input that does not fit a tool's schema goes back to the model as a tool error, and the tool does not run.",
  },
  {
    id: 'notes.tools.error-to-model',
    seed: 1,
    heading: 'Tool Execution',
    promise: 'A failing tool goes back to the model as an error in a sentence, and the turn goes on.',
  },
  {
    id: 'notes.tools.read-file',
    seed: 1,
    heading: 'Tool Definitions',
    promise: '`read_file` returns the contents of a file.',
  },
  {
    id: 'notes.tools.write-file',
    seed: 1,
    heading: 'Tool Definitions',
    promise: '`write_file` creates a file or replaces its contents.',
  },
  {
    id: 'notes.tools.list-directory',
    seed: 1,
    heading: 'Tool Definitions',
    promise: '`list_directory` lists the entries of a folder.',
  },
  {
    id: 'notes.tools.search-files',
    seed: 1,
    heading: 'Tool Definitions',
    promise: '`search_files` finds lines by their text, with file and line number.',
  },
  {
    id: 'notes.tools.result-cut',
    seed: 1,
    heading: 'Tool Execution',
    promise: 'A result over the size cap is cut and says so.',
  },
  {
    id: 'notes.tools.web-search',
    seed: 1,
    heading: 'Tool Definitions',
    promise: '`web_search` returns titles, addresses and snippets.',
  },
  {
    id: 'notes.tools.web-fetch',
    seed: 1,
    heading: 'Tool Definitions',
    promise: '`web_fetch` returns the readable text of a page, marked as untrusted.',
  },
  {
    id: 'notes.tools.web-fetch-guard',
    seed: 1,
    heading: 'Web Content Security',
    promise: '`web_fetch` refuses every address that is not public, also after redirects.',
  },
  {
    id: 'notes.tools.linkedin-post',
    seed: 1,
    heading: 'Tool Definitions',
    promise: '`linkedin_post` creates a post for the person.',
  },
  {
    id: 'notes.tools.linkedin-read-comments',
    seed: 1,
    heading: 'Tool Definitions',
    promise: '`linkedin_read_comments` returns the comments on a post.',
  },
  {
    id: 'notes.tools.linkedin-post-comment',
    seed: 1,
    heading: 'Tool Definitions',
    promise: '`linkedin_post_comment` comments on a post.',
  },
  {
    id: 'notes.tools.linkedin-reply-comment',
    seed: 1,
    heading: 'Tool Definitions',
    promise: '`linkedin_reply_comment` replies to a comment.',
  },
  {
    id: 'notes.tools.linkedin-confirm',
    seed: 1,
    heading: 'Security Considerations',
    promise: 'Nothing is published on LinkedIn before the person has confirmed it.',
  },

  // Vault
  {
    id: 'notes.vault.person-folder',
    seed: 1,
    heading: 'Vault Integration',
    promise: "File paths are relative to the person's own folder below the vault root.",
  },
  {
    id: 'notes.vault.no-traversal',
    seed: 1,
    heading: 'File Access Scope',
    promise: "No spelling of a path leads outside the person's folder.",
  },
  {
    id: 'notes.vault.no-symlink-escape',
    seed: 1,
    heading: 'File Access Scope',
    promise: 'A link that leads outside the folder is refused, as the last part of a path and as a parent.',
  },
  {
    id: 'notes.vault.regular-files-only',
    seed: 1,
    heading: 'File Access Scope',
    promise: 'Pipes, devices and other special files are neither read nor written.',
  },
  {
    id: 'notes.vault.protected-names',
    seed: 1,
    heading: 'File Access Scope',
    promise: 'Nothing is written to `.git`, `.claude` or `.mcp.json`.',
  },

  // The HTTP door
  {
    id: 'notes.door.credentials',
    seed: 1,
    heading: 'REST API Endpoints',
    promise: 'Every route but the health check answers 401 without valid credentials.',
  },
  {
    id: 'notes.door.person',
    seed: 1,
    heading: 'REST API Endpoints',
    promise:
      'The person comes from header, body, query, API key or the only one configured; an unknown one is answered 400 and nothing happens.',
  },
  {
    id: 'notes.door.bad-input',
    seed: 1,
    heading: 'Error Handling',
    promise: 'Bad input is answered with a 4xx and a sentence, and nothing happens.',
  },
  {
    id: 'notes.door.body-cap',
    seed: 1,
    heading: 'Error Handling',
    promise: 'A body over the cap is refused with 413 before it is parsed.',
  },
  {
    id: 'notes.door.rate-limit',
    seed: 1,
    heading: 'Limitations',
    promise: 'Too many requests from one client are answered 429 with the time to wait.',
  },
  {
    id: 'notes.door.host-check',
    seed: 1,
    heading: 'Security Considerations',
    promise: 'A request for a foreign host name or from a foreign origin is refused.',
  },
  {
    id: 'notes.door.security-headers',
    seed: 1,
    heading: 'Security Considerations',
    promise: 'Responses carry security headers.',
  },
  {
    id: 'notes.door.openapi',
    seed: 1,
    heading: 'REST API Endpoints',
    promise: 'The endpoints are described by an OpenAPI document that matches the routes.',
  },
  {
    id: 'notes.door.health',
    seed: 1,
    heading: 'REST API Endpoints',
    promise: '`GET /healthz` answers 200 without credentials once the server is ready.',
  },
  {
    id: 'notes.door.turn-log',
    seed: 1,
    heading: 'Security Considerations',
    promise:
      'Each turn leaves one log line with who, where, tokens, duration and outcome, and never a secret or file content.',
  },
];
