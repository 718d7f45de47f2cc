// The notes assistant: sessions, chat, NDJSON stream, tools, vault, HTTP door.
import { promisesOf } from './requirement.ts';

export const notes = promisesOf(1, {
  // Sessions
  'notes.session.create': 'A message without a session id starts a session with a new UUID.',
  'notes.session.continue': 'A message with the id of your own session continues that session.',
  'notes.session.unknown-id-starts-new':
    'A message with an unknown session id starts a new session with a new id.',
  'notes.session.clear': 'Clearing a session removes it together with its history.',
  'notes.session.clear-unknown': 'Clearing a session that does not exist reports that nothing was removed.',
  'notes.session.history':
    'The history lists the messages of a session in order, each with role and content.',
  'notes.session.history-unknown':
    'The history of an unknown session is empty and says "Session not found", with status 200.',
  'notes.session.foreign-id-starts-new':
    "The id of another person's session starts a new session and does not reveal that the other one exists.",
  'notes.session.foreign-history-hidden':
    "The response for another person's history is the same as for an unknown session.",
  'notes.session.foreign-clear-refused': "Clearing another person's session leaves it unchanged.",
  'notes.session.memory-only':
    'With `sessions.persist` off, sessions stay in memory and are gone after a restart.',
  'notes.session.survives-restart': 'Sessions and their history survive a server restart.',
  'notes.session.one-turn-at-a-time': 'A session runs one turn at a time.',
  'notes.session.queue':
    'A prompt to a busy session waits in a queue that clients can see, and prompts are answered in order.',
  'notes.session.queue-bound': 'A full queue refuses the next prompt and says why.',
  'notes.session.idempotent-prompt': 'A prompt sent twice with the same key is accepted once.',
  'notes.session.crash-marks-interrupted':
    'After a restart, a turn that a crash cut off is marked as interrupted, and none of its tools runs again.',
  'notes.session.subscribe-no-gap':
    'A subscriber that names the last number it saw gets every later event exactly once: stored events first, then live ones.',
  'notes.session.turn-ends-once':
    'Every turn ends with exactly one end event, which is its last event, even when the engine throws.',
  'notes.session.interrupt':
    'An interrupt stops the model request and the running tools, and the turn ends as interrupted.',
  'notes.session.slow-reader-cut-off':
    'A reader that falls too far behind is disconnected, does not slow anyone else down, and can continue from its last number.',
  'notes.session.long-reads': 'A search that takes long blocks nobody else, and ends at its time limit.',
  'notes.session.data-of-earlier-versions':
    'After an update, stored data is indexed in the background, across restarts.',
  'notes.session.full-disk': 'An answer that cannot be saved says so, and is saved as soon as there is room.',
  'notes.session.full-disk-start':
    'On a full disk, the server shows what is stored; if it cannot start, it says why in one message.',

  // Chat
  'notes.chat.response': 'The chat endpoint returns success, session id, the whole response and the history.',
  'notes.chat.history-grows': "The history grows by the person's message and then the assistant's answer.",
  'notes.chat.tool-loop':
    'Parley runs tool calls and sends their results back to the model until the model asks for no more tools.',
  'notes.chat.parallel-tools':
    'Several tool calls in one reply run in parallel, and all results go back together.',
  'notes.chat.final-text': 'The response is the text that the model wrote after it saw the tool results.',
  'notes.chat.tool-limit': 'A turn that reaches the maximum number of tool rounds ends and says so.',
  'notes.chat.earlier-tool-results': 'A follow-up includes the tool calls and results of earlier turns.',
  'notes.chat.earlier-tool-results-after-restart':
    'After a restart, a follow-up still includes the tool calls and results of earlier turns.',
  'notes.chat.prompt-caching': 'System prompt, tools and history are marked for the prompt cache.',
  'notes.chat.trimming':
    'Near the context limit, older turns are left out with a notice; the newest stay, and every tool call keeps its result.',
  'notes.chat.notices': 'A complete answer has the notices of its turn as `notices`.',
  'notes.chat.retry': 'A message that was sent again after a failure appears in the history once.',
  'notes.chat.failure':
    'A failed chat returns success false, a message, an empty response, an empty history and an appropriate status.',
  'notes.chat.retry-before-first-token':
    'While nothing has been shown, a request to an overloaded model is retried after the time that the model asked for.',
  'notes.chat.no-retry-after-first-token':
    'A request that fails after its first token was shown is not retried.',

  // NDJSON stream
  'notes.stream.ndjson': 'The stream is `application/x-ndjson`: one JSON object per line.',
  'notes.stream.text': 'Text arrives as `text` events with a delta.',
  'notes.stream.live': 'Text is forwarded as it arrives, before the reply is complete.',
  'notes.stream.tool-use': 'A tool call arrives as a `tool_use` event with name and input.',
  'notes.stream.session-last': 'A complete response ends with a `session` event that carries the session id.',
  'notes.stream.notice':
    'A cut or declined answer, the tool limit, trimming and a crashed tool server arrive as `notice` events.',
  'notes.stream.ping': 'An open stream sends a `ping` event every five seconds.',
  'notes.stream.error': 'A failure during the stream arrives as an `error` event with a message.',
  'notes.stream.session-after-error': 'A `session` event also follows an `error`.',
  'notes.stream.order':
    'Text before a tool call, the call, text after it and the session id arrive in that order.',
  'notes.stream.disconnect':
    'When a client disconnects in the middle of a turn, the turn still completes and is in the history.',

  // System prompt
  'notes.prompt.notes-assistant':
    "The model gets the notes assistant's prompt: concise help, paths relative to the person's folder.",
  'notes.prompt.untrusted-web':
    'The prompt says that web content is untrusted and that its instructions must never be followed.',

  // Tools
  'notes.tools.schema':
    'Each tool is offered to the model with a name, a description and a JSON schema of its input.',
  'notes.tools.bad-input':
    "Input that does not match a tool's schema goes back to the model as a tool error, and the tool does not run.",
  'notes.tools.error-to-model':
    'A failing tool goes back to the model as an error with a message, and the turn continues.',
  'notes.tools.read-file': '`read_file` returns the contents of a file.',
  'notes.tools.write-file': '`write_file` creates a file or replaces its contents.',
  'notes.tools.list-directory': '`list_directory` lists the entries of a folder.',
  'notes.tools.search-files': '`search_files` finds lines by their text and returns file and line number.',
  'notes.tools.result-cut': 'A result over the size limit is truncated and says so.',
  'notes.tools.web-search': '`web_search` returns titles, addresses and snippets.',
  'notes.network.proxy':
    'Every connection to another server uses the proxy that `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY` name; loopback never does, and the doctor shows the routes.',
  'notes.network.proxy-guard':
    'Behind a proxy, addresses that are not public are still refused, as far as this machine can resolve them.',
  'notes.tools.web-fetch': '`web_fetch` returns the readable text of a page, marked as untrusted.',
  'notes.tools.web-fetch-guard':
    '`web_fetch` refuses every address that is not public, including after redirects.',
  'notes.tools.web-fetch-own-addresses':
    "`web_fetch` refuses the addresses of this machine's interfaces, and for IPv6 their networks.",
  'notes.tools.linkedin-post': '`linkedin_post` creates a post for the person.',
  'notes.tools.linkedin-read-comments': '`linkedin_read_comments` returns the comments on a post.',
  'notes.tools.linkedin-post-comment': '`linkedin_post_comment` comments on a post.',
  'notes.tools.linkedin-reply-comment': '`linkedin_reply_comment` replies to a comment.',
  'notes.tools.linkedin-confirm': 'Nothing is published on LinkedIn until the person confirms it.',

  // Vault
  'notes.vault.person-folder': "File paths are relative to the person's own folder below the vault root.",
  'notes.vault.no-traversal': "No way of writing a path leads outside the person's folder.",
  'notes.vault.no-symlink-escape':
    'A link that leads outside the folder is refused, whether it is the last part of a path or a parent.',
  'notes.vault.regular-files-only': 'Pipes, devices and other special files are neither read nor written.',
  'notes.vault.protected-names':
    'Nothing is written to hidden files and folders such as `.git`, `.obsidian` or `.envrc`, or to other files that editors, shells or agents obey.',
  'notes.tools.ask-after-reading':
    'Once a turn has read text from strangers, it asks before it overwrites or deletes; once it has read that or notes, it asks before it fetches from a host that the person has not named.',
  'notes.tools.refuse-after-reading':
    'Where nobody can be asked, such an action is refused with a message that says why and what to do.',
  'notes.tools.untrusted-mcp':
    'Results of MCP servers are marked as untrusted, unless the configuration trusts the server.',

  // The HTTP door
  'notes.door.credentials': 'Every route except the health check returns 401 without valid credentials.',
  'notes.door.person':
    'The person comes from header, body, query, API key or the only person configured; an unknown person gets 400 and the request has no effect.',
  'notes.door.bad-input': 'Bad input gets a 4xx and a message, and has no effect.',
  'notes.door.error-detail': 'Every error body repeats its message in `detail`.',
  'notes.door.retry-after': 'Where the time to wait is known, `Retry-After` and the message agree.',
  'notes.door.retry-key':
    'A temporary failure does not use up an `Idempotency-Key`, unless a tool has run in the meantime.',
  'notes.door.unknown-fields': 'Unknown fields of a body are ignored.',
  'notes.door.body-cap': 'A body over the size limit gets 413 before it is parsed.',
  'notes.door.memory':
    'The bytes of bodies that wait in memory are limited, for each person and for all; more get 429.',
  'notes.session.prompt-bytes':
    'The bytes of prompts that wait or run are limited, for each person and for all; more are refused as busy.',
  'notes.door.rate-limit': 'Too many requests from one client get 429 with the time to wait.',
  'notes.door.host-check': 'A request for a foreign host name or from a foreign origin is refused.',
  'notes.door.security-headers': 'Responses carry security headers.',
  'notes.door.openapi': 'An OpenAPI document describes the endpoints and matches the routes.',
  'notes.door.health': '`GET /healthz` returns 200 without credentials once the server is ready.',
  'notes.door.turn-log':
    'Each turn writes one log line with person, door, tokens, duration and outcome, and never a secret or file content.',
});
