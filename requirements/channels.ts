// Telegram and Discord: one session per chat, answered by the claude program.
import { promisesOf } from './requirement.ts';

export const channels = promisesOf(4, {
  // Ground rules
  'channels.trigger.every-message': 'Every text message of an allowed person is answered.',
  'channels.input.text-only': 'A message that is not text gets a reply that says its kind is not supported.',
  'channels.input.picture-type': 'The type of a picture is detected from its bytes.',
  'channels.input.edits': 'A message is not answered again when it is edited.',
  'channels.session.per-chat': 'Each chat, topic and thread has its own session.',
  'channels.session.per-bot':
    'Several bots run in one server, each with its own chats, workspace and allow list.',
  'channels.session.group-is-closed':
    'In a group or channel, `/sessions` lists and opens only sessions that were started there.',
  'channels.session.started-elsewhere':
    '`/sessions` also lists sessions that were started outside of Parley.',
  'channels.model.default': 'The configured model answers.',
  'channels.model.documented': 'The guides name the default model and how to choose another.',

  // More chats than processes
  'channels.slots.waits':
    'When all processes are busy, prompts wait in their queues, and fifty chats at once all get their answer.',
  'channels.slots.fair': 'Slots are shared fairly between people, and between the chats of a person.',
  'channels.slots.ahead': 'A person who waits for other sessions learns how many are ahead.',
  'channels.slots.open-permission': 'A turn that waits for a decision holds up nobody else.',

  // Flow
  'channels.flow.same-chat': 'The answer goes to the chat that the message came from.',
  'channels.flow.resume': 'A chat with a session resumes it; a chat without one starts a new session.',
  'channels.flow.session-kept': "After a turn the chat's session id is stored.",
  'channels.flow.side-by-side': 'Chats run in parallel, and each runs one turn at a time.',
  'channels.flow.summary-prompt': 'With the summary prompt on, the message is inserted into its template.',
  'channels.flow.new-is-free': '`/new` frees the chat at once, even while a turn runs.',
  'channels.flow.known-commands': 'Other commands go to the program only if it knows them.',
  'channels.flow.fallback-text': 'A turn without a final text is answered with the fallback text.',
  'channels.flow.tool-limit': 'A turn ends when it reaches the maximum number of tool rounds.',

  // Configuration
  'channels.config.order': 'The environment overrides the config file.',
  'channels.config.empty-token': 'A bot that is off may have an empty token.',
  'channels.config.placeholders': 'Unknown placeholders in the summary prompt are reported.',
  'channels.config.defaults': 'A setting that is not configured has its documented default.',
  'channels.transcript-log.rotation':
    'The transcript log rotates by size and keeps a bounded number of files.',

  // Session map
  'channels.store.format': 'The map is a JSON object from `channel:chatId` to session id and time of update.',
  'channels.store.load-at-start': 'The map is read at startup, so chats continue after a restart.',
  'channels.store.atomic-write': 'An interrupted write leaves the old map intact.',
  'channels.store.keeps-entries': 'Entries of the map that cannot be read are logged and kept.',
  'channels.store.takeover':
    'A session in the map that only the program knows is resumed, with the configured model and permissions.',
  'channels.store.no-content': 'The map holds no message text.',

  // The program
  'channels.program.flags':
    'The program is started with the flags of this door, and with full permissions if the owner chose them.',
  'channels.program.progress': 'While the turn runs, the chat shows which tools start, finish and fail.',
  'channels.program.session-id-from-result': "The session id is taken from the program's result.",
  'channels.tools.message': 'The program can send a text to its own chat during a turn.',
  'channels.tools.message-own-chat': 'The program cannot send to any other chat.',
  'channels.tools.workspace': 'The program works in the configured workspace.',

  // Telegram
  'channels.telegram.long-polling': 'Text messages are received by long polling.',
  'channels.telegram.send': 'The answer is sent as text to the same Telegram chat.',
  'channels.telegram.allow-list': 'Only people on the allow list get answers; an empty list lets nobody in.',
  'channels.telegram.long-answers':
    'An answer over 4,096 characters arrives complete and in order, in several messages.',
  'channels.telegram.hanging-call': 'A call that hangs is given up within seconds.',
  'channels.telegram.calm-polling': 'An API that answers every poll at once is not polled without a pause.',
  'channels.answers.sentences': 'A long answer without paragraphs is split at the end of a line or sentence.',
  'channels.telegram.none-lost':
    'A received message is answered once, even when the server is killed before the answer.',

  // Discord
  'channels.discord.gateway': 'Messages are received through the gateway.',
  'channels.discord.send': 'The answer is sent to the same Discord channel.',
  'channels.discord.private-answers':
    'The answer to a slash command that changes nothing is shown only to the person who asked.',
  'channels.discord.buttons-first': 'A button is acknowledged before its decision is carried out.',
  'channels.discord.ignores-bots': 'Messages from bots are ignored.',
  'channels.discord.allow-list': 'Only people on the allow list get answers; an empty list lets nobody in.',
  'channels.discord.long-answers':
    'An answer over 2,000 characters arrives complete and in order, in several messages.',

  // Failures
  'channels.error.receive': 'An error while receiving is logged, and receiving continues.',
  'channels.error.tool': 'The model sees a failing tool as an error.',
  'channels.error.model': 'When the model fails, the chat gets a friendly message.',
  'channels.error.upstream':
    'When the service refuses the login or is overloaded, the chat learns of it within seconds.',
  'channels.error.session-map': 'A failure to write the map is logged, and the chat continues.',

  // Logs and security
  'channels.log.fields': 'Log lines have time, channel, chat, kind of event and, for a turn, its duration.',
  'channels.log.no-secrets': 'Logs contain neither secrets nor whole file contents.',
  'channels.security.posture-documented':
    'The README and the guides say plainly what these doors may do by default, and what full permissions mean.',

  // Acceptance
  'channels.acceptance.telegram-summary':
    'Asked in Telegram to summarize the workspace, the bot reads files and answers there.',
  'channels.acceptance.discord-summary':
    'Asked in Discord to summarize the workspace, the bot reads files and answers there.',
  'channels.acceptance.continuity': 'A follow-up after a restart continues the resumed session.',
  'channels.acceptance.tools':
    'A prompt that needs a listing and then a file is answered from what the tools returned.',
  'channels.acceptance.failure': 'The model sees a failing command, and the final answer is coherent.',
});
