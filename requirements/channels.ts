// What Parley promises of Telegram and Discord: one session per chat, answered by the claude program.
import type { Requirement } from './requirement.ts';

export const channels: readonly Requirement[] = [
  // What is decided
  {
    id: 'channels.trigger.every-message',
    seed: 4,
    heading: '2. Locked Decisions',
    promise: 'Every text message of an allowed person is answered.',
  },
  {
    id: 'channels.input.text-only',
    seed: 4,
    heading: '2. Locked Decisions',
    promise: 'A message that is not text gets a sentence that its kind is not supported.',
  },
  {
    id: 'channels.session.per-chat',
    seed: 4,
    heading: '2. Locked Decisions',
    promise: 'Each chat, topic and thread has a session of its own.',
  },
  {
    id: 'channels.session.per-bot',
    seed: 4,
    heading: '2. Locked Decisions',
    promise: 'Several bots run in one server, each with chats, a workspace and an allow list of its own.',
  },
  {
    id: 'channels.model.default',
    seed: 4,
    heading: '2. Locked Decisions',
    promise: 'The model is the configured one.',
  },

  // Flow
  {
    id: 'channels.flow.same-chat',
    seed: 4,
    heading: '4. Runtime Flow',
    promise: 'The answer goes to the chat that the message came from.',
  },
  {
    id: 'channels.flow.resume',
    seed: 4,
    heading: '4. Runtime Flow',
    promise: 'A chat with a session resumes it; a chat without starts a new one.',
  },
  {
    id: 'channels.flow.session-kept',
    seed: 4,
    heading: '4. Runtime Flow',
    promise: "After a turn the chat's session id is kept.",
  },
  {
    id: 'channels.flow.side-by-side',
    seed: 4,
    heading: '4. Runtime Flow',
    promise: 'Chats run side by side, and each runs one turn at a time.',
  },
  {
    id: 'channels.flow.summary-prompt',
    seed: 4,
    heading: '11. Agent Loop Spec',
    promise: 'With the summary prompt on, the message is put into its template.',
  },
  {
    id: 'channels.flow.fallback-text',
    seed: 4,
    heading: '11. Agent Loop Spec',
    promise: 'A turn without a final text is answered with the fallback text.',
  },
  {
    id: 'channels.flow.tool-limit',
    seed: 4,
    heading: '11. Agent Loop Spec',
    promise: 'A turn ends after the largest allowed number of tool rounds.',
  },

  // Configuration
  {
    id: 'channels.config.order',
    seed: 4,
    heading: '6. Config Contract',
    promise: 'The environment wins over the config file.',
  },
  {
    id: 'channels.config.defaults',
    seed: 4,
    heading: '6. Config Contract',
    promise: 'What is not configured has its documented default.',
  },
  {
    id: 'channels.transcript-log.rotation',
    seed: 4,
    heading: '6. Config Contract',
    promise: 'The transcript log is rotated by size and keeps a bounded number of files.',
  },

  // Session map
  {
    id: 'channels.store.format',
    seed: 4,
    heading: '7. Session Store Spec',
    promise: 'The map is a JSON object from `channel:chatId` to session id and time of update.',
  },
  {
    id: 'channels.store.load-at-start',
    seed: 4,
    heading: '7. Session Store Spec',
    promise: 'The map is read at the start, so that chats go on after a restart.',
  },
  {
    id: 'channels.store.atomic-write',
    seed: 4,
    heading: '7. Session Store Spec',
    promise: 'An interrupted write leaves the old map whole.',
  },
  {
    id: 'channels.store.no-content',
    seed: 4,
    heading: '7. Session Store Spec',
    promise: 'The map holds no text of any message.',
  },

  // The program
  {
    id: 'channels.program.flags',
    seed: 4,
    heading: '8. Claude Client Adapter Spec',
    promise: 'The program is started with the flags of this door, full permissions included.',
  },
  {
    id: 'channels.program.progress',
    seed: 4,
    heading: '8. Claude Client Adapter Spec',
    promise: 'Tools started, finished and failed are told to the chat while the turn runs.',
  },
  {
    id: 'channels.program.session-id-from-result',
    seed: 4,
    heading: '8. Claude Client Adapter Spec',
    promise: "The session id is taken from the program's result.",
  },
  {
    id: 'channels.tools.message',
    seed: 4,
    heading: '9. Tools',
    promise: 'The program can send a text to its own chat during a turn.',
  },
  {
    id: 'channels.tools.message-own-chat',
    seed: 4,
    heading: '9. Tools',
    promise: 'The program can send to no other chat.',
  },
  {
    id: 'channels.tools.workspace',
    seed: 4,
    heading: '9. Tools',
    promise: 'The program works in the configured workspace.',
  },

  // Telegram
  {
    id: 'channels.telegram.long-polling',
    seed: 4,
    heading: 'Telegram',
    promise: 'Text messages are received by long polling.',
  },
  {
    id: 'channels.telegram.send',
    seed: 4,
    heading: 'Telegram',
    promise: 'The answer is sent as text to the same Telegram chat.',
  },
  {
    id: 'channels.telegram.allow-list',
    seed: 4,
    heading: 'Telegram',
    promise: 'Only people on the allow list are answered; an empty list lets nobody in.',
  },
  {
    id: 'channels.telegram.long-answers',
    seed: 4,
    heading: 'Telegram',
    promise: 'An answer over 4,096 characters arrives whole, in order, in several messages.',
  },
  {
    id: 'channels.telegram.none-lost',
    seed: 4,
    heading: 'Telegram',
    promise: 'A received message is answered once, also when the server is killed in between.',
  },

  // Discord
  {
    id: 'channels.discord.gateway',
    seed: 4,
    heading: 'Discord',
    promise: 'Messages are received through the gateway.',
  },
  {
    id: 'channels.discord.send',
    seed: 4,
    heading: 'Discord',
    promise: 'The answer is sent to the same Discord channel.',
  },
  {
    id: 'channels.discord.ignores-bots',
    seed: 4,
    heading: 'Discord',
    promise: 'Messages of bots are not answered.',
  },
  {
    id: 'channels.discord.allow-list',
    seed: 4,
    heading: 'Discord',
    promise: 'Only people on the allow list are answered; an empty list lets nobody in.',
  },
  {
    id: 'channels.discord.long-answers',
    seed: 4,
    heading: 'Discord',
    promise: 'An answer over 2,000 characters arrives whole, in order, in several messages.',
  },

  // Failure
  {
    id: 'channels.error.receive',
    seed: 4,
    heading: '12. Error Handling',
    promise: 'An error while receiving is logged, and receiving goes on.',
  },
  {
    id: 'channels.error.tool',
    seed: 4,
    heading: '12. Error Handling',
    promise: 'A failing tool is told to the model as an error.',
  },
  {
    id: 'channels.error.model',
    seed: 4,
    heading: '12. Error Handling',
    promise: 'When the model fails, the chat gets a friendly sentence.',
  },
  {
    id: 'channels.error.session-map',
    seed: 4,
    heading: '12. Error Handling',
    promise: 'When the map cannot be written, that is logged and the chat goes on.',
  },

  // Logs and posture
  {
    id: 'channels.log.fields',
    seed: 4,
    heading: '13. Logging/Observability (local)',
    promise: 'Log lines have time, channel, chat, kind of event and, for a turn, its duration.',
  },
  {
    id: 'channels.log.no-secrets',
    seed: 4,
    heading: '13. Logging/Observability (local)',
    promise: 'Logs hold neither secrets nor whole file contents.',
  },
  {
    id: 'channels.security.posture-documented',
    seed: 4,
    heading: '14. Security Posture (v1)',
    promise: 'The documents of this door say plainly that it runs with full permissions.',
  },

  // Acceptance
  {
    id: 'channels.acceptance.telegram-summary',
    seed: 4,
    heading: '15. Acceptance Test Matrix',
    promise: 'Asked in Telegram to summarise the workspace, the bot reads files and answers there.',
  },
  {
    id: 'channels.acceptance.discord-summary',
    seed: 4,
    heading: '15. Acceptance Test Matrix',
    promise: 'Asked in Discord to summarise the workspace, the bot reads files and answers there.',
  },
  {
    id: 'channels.acceptance.continuity',
    seed: 4,
    heading: '15. Acceptance Test Matrix',
    promise: 'A follow-up after a restart goes on in the resumed session.',
  },
  {
    id: 'channels.acceptance.tools',
    seed: 4,
    heading: '15. Acceptance Test Matrix',
    promise: 'A prompt that needs a listing and then a file is answered from what the tools returned.',
  },
  {
    id: 'channels.acceptance.failure',
    seed: 4,
    heading: '15. Acceptance Test Matrix',
    promise: 'A failing command reaches the model, and the final answer is coherent.',
  },
];
