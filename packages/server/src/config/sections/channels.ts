// Telegram and Discord: the bots, who may use them, where the program works for them, and what is kept of them.
import { ChannelName, ChatService, PersonName } from '@parley/protocol';
import { z } from 'zod';
import { doorNames } from '../../domain/doors.ts';
import { isHttpAddress } from '../http-address.ts';
import { Secret } from '../secret.ts';
import { section, setting } from '../setting.ts';

// Functions, because what is known of a setting hangs on its own schema.
const token = () =>
  z
    .string()
    .min(1)
    .transform((value) => new Secret(value));
const engine = () => z.enum(['claude-code', 'messages-api']);
const permissionMode = () => z.enum(['full', 'ask']);

/** Names can be taken over by others, numbers cannot. */
const SenderId = z
  .union([z.string(), z.int()])
  .transform(String)
  .pipe(z.string().regex(/^(-?\d{1,20}|\*)$/, 'expected a numeric id'));

const allowFrom = () => z.array(SenderId).default([]);
const idHint = (service: string) =>
  `Give the numeric ids of people, not their names. Write to the bot once: Parley's log names the id of a ${service} sender whom it refused.`;

const apiRoot = () => z.string().refine(isHttpAddress, 'expected an http or https address');

const BotName = ChannelName.refine(
  (name) => !doorNames.has(name),
  `expected another name than ${[...doorNames].join(', ')}`,
);

const BotEntry = z.strictObject({
  name: setting(BotName, {
    meaning: 'Its name in the log, in the keys of its chats and on the overview. It stays with those chats.',
  }),
  service: setting(ChatService, { meaning: 'Where it is a bot.' }),
  token: setting(token(), { secret: true, meaning: 'Its token. No two bots have the same.' }),
  allowFrom: setting(allowFrom(), {
    meaning:
      'The numeric ids of those who may use this bot. None lets nobody in; `*` lets everybody in. The lists of other bots do not count here.',
  }),
  apiRoot: setting(apiRoot().optional(), {
    fallback: 'that of `channels.telegram` or `channels.discord`',
    meaning: 'The address of the API of its service.',
  }),
  workspace: setting(z.string().min(1).optional(), {
    form: 'path',
    fallback: '`workspace`',
    meaning: 'The folder in which the program works for its chats. It counts as one of `workRoots`.',
  }),
  model: setting(z.string().min(1).optional(), {
    fallback: '`model`',
    meaning: 'The model of sessions that begin in its chats.',
  }),
  permissionMode: setting(permissionMode().optional(), {
    fallback: '`channels.permissionMode`',
    meaning: 'Whether the program asks in its chats before it acts.',
  }),
  engine: setting(engine().optional(), {
    fallback: '`channels.engine`',
    meaning: 'What answers its chats.',
  }),
  assistant: setting(z.string().min(1).optional(), {
    fallback: '`channels.assistant`',
    meaning: 'The assistant that answers its chats, with `messages-api`.',
  }),
  person: setting(PersonName.optional(), {
    fallback: '`channels.person`',
    meaning: 'For whom its chats speak.',
  }),
});

export const channels = {
  workspace: setting(z.string().min(1).optional(), {
    env: 'PARLEY_WORKSPACE',
    form: 'path',
    fallback: 'the first of `workRoots`, else `workspace` below `home`',
    meaning:
      'The folder in which the program works for chats of Telegram and Discord. With a bot it counts as one of `workRoots`.',
  }),
  channels: section({
    engine: setting(engine().default('claude-code'), {
      env: 'PARLEY_CHANNELS_ENGINE',
      meaning: 'What answers chats: the `claude` program, or an assistant on the Anthropic API.',
    }),
    assistant: setting(z.string().min(1).default('notes'), {
      meaning: 'The assistant that answers chats, with `messages-api`.',
    }),
    permissionMode: setting(permissionMode().default('full'), {
      env: 'PARLEY_CHANNELS_PERMISSIONS',
      meaning:
        '`full` lets the program run every command and change every file without asking. `ask` brings its questions to the chat as buttons.',
    }),
    person: setting(PersonName.optional(), {
      fallback: 'the first of the people',
      meaning: 'For whom chats speak: their sessions are this person’s.',
    }),
    people: setting(
      z.record(z.string().regex(/^\d{1,20}$/, 'expected a numeric id'), PersonName).default({}),
      {
        meaning: 'Other people by the numeric id of the sender, for private chats.',
        hint: 'Write it as {"123456789": "petra"}.',
      },
    ),
    telegram: section({
      enabled: setting(z.boolean().optional(), {
        env: 'TELEGRAM_ENABLED',
        form: 'boolean',
        fallback: 'on with a token',
        meaning: 'false keeps the bot off although it has a token.',
      }),
      token: setting(token().optional(), {
        env: 'TELEGRAM_BOT_TOKEN',
        secret: true,
        meaning: 'The token of the Telegram bot, from @BotFather.',
      }),
      allowFrom: setting(allowFrom(), {
        env: 'TELEGRAM_ALLOW_FROM',
        form: 'list',
        meaning: 'The numeric ids of those who may use the bot. None lets nobody in; `*` lets everybody in.',
        hint: idHint('Telegram'),
      }),
      apiRoot: setting(apiRoot().default('https://api.telegram.org'), {
        env: 'TELEGRAM_API_ROOT',
        meaning: 'The address of the Bot API, for those who run their own.',
      }),
    }),
    discord: section({
      enabled: setting(z.boolean().optional(), {
        env: 'DISCORD_ENABLED',
        form: 'boolean',
        fallback: 'on with a token',
        meaning: 'false keeps the bot off although it has a token.',
      }),
      token: setting(token().optional(), {
        env: 'DISCORD_BOT_TOKEN',
        secret: true,
        meaning: 'The token of the Discord bot.',
      }),
      allowFrom: setting(allowFrom(), {
        env: 'DISCORD_ALLOW_FROM',
        form: 'list',
        meaning: 'The numeric ids of those who may use the bot. None lets nobody in; `*` lets everybody in.',
        hint: idHint('Discord'),
      }),
      apiRoot: setting(apiRoot().default('https://discord.com/api'), {
        env: 'DISCORD_API_ROOT',
        meaning: 'The address of the Discord API.',
      }),
    }),
    more: setting(
      z
        .array(BotEntry)
        .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, 'expected each name once')
        .default([]),
      {
        secret: true,
        meaning:
          'Further bots in the same server, each with chats of its own. What one does not say is as for the others.',
        hint: 'Each entry has "name" (a short word that no other bot has), "service" ("telegram" or "discord"), "token" and "allowFrom" (numeric ids).',
      },
    ),
  }),
  summaryPrompt: section({
    enabled: setting(z.boolean().default(false), {
      env: 'PARLEY_SUMMARY_PROMPT_ENABLED',
      form: 'boolean',
      meaning: 'Whether messages of chats are put into the template.',
    }),
    template: setting(
      z
        .string()
        .min(1)
        .default('Answer briefly, as a message in a chat. The workspace is {{workspace}}.\n\n{{message}}'),
      {
        env: 'PARLEY_SUMMARY_PROMPT_TEMPLATE',
        meaning: 'The template, with `{{message}}` for what was written and `{{workspace}}` for the folder.',
      },
    ),
  }),
  transcriptLog: section({
    enabled: setting(z.boolean().default(false), {
      env: 'PARLEY_TRANSCRIPT_LOG_ENABLED',
      form: 'boolean',
      meaning: 'Whether what is said in chats is written to a file. It holds the words of people.',
    }),
    path: setting(z.string().min(1).optional(), {
      env: 'PARLEY_TRANSCRIPT_LOG_PATH',
      form: 'path',
      fallback: '`transcript.jsonl` below `home`',
      meaning: 'The file, with one line of JSON for each message.',
    }),
    maxBytes: setting(z.int().min(1_024).default(10_485_760), {
      env: 'PARLEY_TRANSCRIPT_LOG_MAX_BYTES',
      form: 'number',
      meaning: 'A larger file is put aside, and a new one begun.',
    }),
    maxFiles: setting(z.int().min(1).max(1_000).default(5), {
      env: 'PARLEY_TRANSCRIPT_LOG_MAX_FILES',
      form: 'number',
      meaning: 'How many files are kept, with the one that is being written.',
    }),
  }),
  sessionStorePath: setting(z.string().min(1).optional(), {
    env: 'PARLEY_SESSION_STORE_PATH',
    form: 'path',
    fallback: '`sessions.json` below `home`',
    meaning: 'The file that says which session each chat is in.',
  }),
  maxToolIterations: setting(z.int().min(1).max(10_000).default(20), {
    env: 'PARLEY_MAX_TOOL_ITERATIONS',
    form: 'number',
    meaning: 'How many rounds of tools a turn of a chat may have; after them it is stopped.',
  }),
};
