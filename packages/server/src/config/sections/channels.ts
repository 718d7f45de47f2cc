// Telegram and Discord: the bots, who may use them, where the program works for them, and what is stored.
import { ChannelName, ChatService, PersonName, say } from '@parley/protocol';
import { z } from 'zod';
import { doors } from '../../domain/doors.ts';
import { section, setting } from '../setting.ts';
import { haveUniqueNames, httpAddress, optionalSecret, secretText } from './values.ts';

const engine = () => z.enum(['claude-code', 'messages-api']);
const permissionMode = () => z.enum(['full', 'ask']);

/** Others can take over a name, but not a number. */
const SenderId = z
  .union([z.string(), z.int()])
  .transform(String)
  .pipe(z.string().regex(/^(-?\d{1,20}|\*)$/, 'expected a numeric id'));

const allowFrom = () => z.array(SenderId).default([]);

/** The bot that each service has besides `channels.more`; only it can be set by variables. */
function ownBot(service: string, about: { apiRoot: string; token: string; api: string }) {
  const variable = service.toUpperCase();
  return section({
    enabled: setting(z.boolean().optional(), {
      env: `${variable}_ENABLED`,
      form: 'boolean',
      fallback: 'on with a token',
      meaning: '`false` turns the bot off even though it has a token.',
    }),
    token: setting(optionalSecret(), {
      env: `${variable}_BOT_TOKEN`,
      secret: true,
      meaning: about.token,
    }),
    allowFrom: setting(allowFrom(), {
      env: `${variable}_ALLOW_FROM`,
      form: 'list',
      meaning:
        'The numeric ids of people who may use the bot. An empty list lets nobody in; `*` lets everybody in.',
      hint: `Use numeric ids, not names. To find an id, send the bot a message: the log shows the id of each ${service} sender it refused.`,
    }),
    apiRoot: setting(httpAddress().default(about.apiRoot), {
      env: `${variable}_API_ROOT`,
      meaning: about.api,
    }),
  });
}

const BotName = ChannelName.refine(
  (name) => !doors.some((door) => door === name),
  `must not be one of ${doors.join(', ')}`,
);

const BotEntry = z.strictObject({
  name: setting(BotName, {
    meaning:
      'The bot’s name in the log, in the keys of its chats and on the overview page. With a new name it starts new chats.',
  }),
  service: setting(ChatService, { meaning: 'The chat service: `telegram` or `discord`.' }),
  enabled: setting(z.boolean().default(true), { meaning: '`false` turns the bot off.' }),
  token: setting(secretText(), { secret: true, meaning: 'The bot’s token. Each bot needs its own.' }),
  allowFrom: setting(allowFrom(), {
    meaning:
      'The numeric ids of people who may use this bot. An empty list lets nobody in; `*` lets everybody in. The lists of other bots do not apply.',
  }),
  apiRoot: setting(httpAddress().optional(), {
    fallback: 'as in `channels.telegram` or `channels.discord`',
    meaning: 'The address of the service’s API.',
  }),
  workspace: setting(z.string().min(1).optional(), {
    form: 'path',
    fallback: '`workspace`',
    meaning: 'The folder that the program works in for this bot’s chats. It is added to `workRoots`.',
  }),
  model: setting(z.string().min(1).optional(), {
    fallback: '`model`',
    meaning: 'The model of sessions that start in its chats.',
  }),
  permissionMode: setting(permissionMode().optional(), {
    fallback: '`channels.permissionMode`',
    meaning: 'Whether the program asks in the chat before it acts.',
  }),
  engine: setting(engine().optional(), {
    fallback: '`channels.engine`',
    meaning: 'The engine that answers its chats.',
  }),
  assistant: setting(z.string().min(1).optional(), {
    fallback: '`channels.assistant`',
    meaning: 'The assistant that answers its chats, with `messages-api`.',
  }),
  person: setting(PersonName.optional(), {
    fallback: '`channels.person`',
    meaning: 'The person whose sessions are used for its chats.',
  }),
});

// A text with braces can't be translated, so these are values of it.
const message = '`{{message}}`';
const workspace = '`{{workspace}}`';

export const channels = {
  workspace: setting(z.string().min(1).optional(), {
    env: 'PARLEY_WORKSPACE',
    form: 'path',
    fallback: 'the first of `workRoots`, else `workspace` in `home`',
    meaning:
      'The folder that the program works in for Telegram and Discord chats. With a bot, it is added to `workRoots`.',
  }),
  channels: section({
    engine: setting(engine().default('claude-code'), {
      env: 'PARLEY_CHANNELS_ENGINE',
      meaning: say`What answers in chats: the \`claude\` program, or an assistant that uses the Anthropic API.`,
    }),
    assistant: setting(z.string().min(1).default('notes'), {
      meaning: say`The assistant that answers in chats, with \`messages-api\`.`,
    }),
    permissionMode: setting(permissionMode().default('ask'), {
      env: 'PARLEY_CHANNELS_PERMISSIONS',
      meaning: say`\`ask\` shows each command and change in the chat, with buttons, before it happens. \`full\` lets the program run any command and change any file without asking.`,
    }),
    person: setting(PersonName.optional(), {
      fallback: say`the first of \`people\``,
      meaning: say`The person whose sessions are used for chats.`,
    }),
    people: setting(
      z.record(z.string().regex(/^\d{1,20}$/, 'expected a numeric id'), PersonName).default({}),
      {
        meaning: say`Other people for private chats, by the sender's numeric ID.`,
        hint: 'Write it as {"123456789": "petra"}.',
      },
    ),
    telegram: ownBot('Telegram', {
      apiRoot: 'https://api.telegram.org',
      token: 'The token of the Telegram bot, from @BotFather.',
      api: 'The address of the Bot API, if you run your own.',
    }),
    discord: ownBot('Discord', {
      apiRoot: 'https://discord.com/api',
      token: 'The token of the Discord bot.',
      api: 'The address of the Discord API.',
    }),
    more: setting(z.array(BotEntry).refine(haveUniqueNames, 'two bots have the same name').default([]), {
      secret: true,
      meaning:
        'More bots in the same server, each with its own chats. Settings that an entry leaves out are the same as for other chats.',
      hint: 'Each entry has "name" (a short, unique word), "service" ("telegram" or "discord"), "token" and "allowFrom" (numeric ids).',
    }),
  }),
  summaryPrompt: section({
    enabled: setting(z.boolean().default(false), {
      env: 'PARLEY_SUMMARY_PROMPT_ENABLED',
      form: 'boolean',
      meaning: say`Whether the text of each message is put into the template.`,
    }),
    template: setting(
      z
        .string()
        .min(1)
        .default('Answer briefly, as a message in a chat. The workspace is {{workspace}}.\n\n{{message}}'),
      {
        env: 'PARLEY_SUMMARY_PROMPT_TEMPLATE',
        meaning: say`The template, with ${message} for the text of the message and ${workspace} for the folder.`,
      },
    ),
  }),
  transcriptLog: section({
    enabled: setting(z.boolean().default(false), {
      env: 'PARLEY_TRANSCRIPT_LOG_ENABLED',
      form: 'boolean',
      meaning: 'Whether the messages of all chats are written to a file. It contains what people write.',
    }),
    path: setting(z.string().min(1).optional(), {
      env: 'PARLEY_TRANSCRIPT_LOG_PATH',
      form: 'path',
      fallback: '`transcript.jsonl` in `home`',
      meaning: 'The file, with one line of JSON per message.',
    }),
    maxBytes: setting(z.int().min(1_024).default(10_485_760), {
      env: 'PARLEY_TRANSCRIPT_LOG_MAX_BYTES',
      form: 'number',
      meaning: 'When the file reaches this size, it is rotated.',
    }),
    maxFiles: setting(z.int().min(1).max(1_000).default(5), {
      env: 'PARLEY_TRANSCRIPT_LOG_MAX_FILES',
      form: 'number',
      meaning: 'How many files are kept, including the current one.',
    }),
  }),
  sessionStorePath: setting(z.string().min(1).optional(), {
    env: 'PARLEY_SESSION_STORE_PATH',
    form: 'path',
    fallback: '`sessions.json` in `home`',
    meaning: 'The file that maps each chat to its session.',
  }),
  maxToolIterations: setting(z.int().min(1).max(10_000).default(20), {
    env: 'PARLEY_MAX_TOOL_ITERATIONS',
    form: 'number',
    meaning: say`How many rounds of tool calls a turn in a chat may have before it is stopped.`,
  }),
};
