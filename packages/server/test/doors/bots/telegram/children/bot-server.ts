// A server with only a Telegram bot and the real `claude` program, as a separate process that a test can kill. Its only
// argument says where everything is.
import { join } from 'node:path';
import { silentLogger } from '../../../../../src/domain/logger.ts';
import { BotState } from '../../../../../src/doors/bots/core/bot-state.ts';
import { openTelegramDoor } from '../../../../../src/doors/bots/telegram/door.ts';
import { createClaudeCodeEngine } from '../../../../../src/engines/claude-code/engine.ts';
import { ownHome } from '../../../../../src/engines/claude-code/program-home.ts';
import { createWorkFolders } from '../../../../../src/engines/claude-code/work-folders.ts';
import { clock, openChatServer } from '../../chat-server.ts';

export interface BotServerSetup {
  readonly folder: string;
  readonly workspace: string;
  readonly telegram: { readonly url: string; readonly token: string };
  readonly anthropicUrl: string;
  /** The path of the program. */
  readonly program: string;
}

const { folder, workspace, telegram, anthropicUrl, program } = JSON.parse(
  process.argv[2] ?? '',
) as BotServerSetup;
const newId = () => crypto.randomUUID();
const logger = silentLogger;
const host = { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8' };

const engine = createClaudeCodeEngine({
  program,
  home: await ownHome(join(folder, 'home'), host, { url: anthropicUrl, apiKey: 'stand-in-key' }),
  folders: createWorkFolders({ roots: [workspace] }),
  defaults: {},
  limits: { maxProcesses: 16, warmProcesses: 0, idleMs: 600_000 },
  clock,
  newId,
});
const server = await openChatServer({
  folder,
  engine,
  logger,
  settings: { assistant: '', workspace },
  queue: 50,
  backoff: { firstMs: 50, longestMs: 500 },
});
const door = openTelegramDoor({
  name: 'telegram',
  places: { token: 'TELEGRAM_BOT_TOKEN', allowFrom: 'TELEGRAM_ALLOW_FROM' },
  core: server.core,
  state: new BotState({ name: 'telegram', kind: 'telegram' }, clock),
  outbox: server.store.outbox,
  token: telegram.token,
  apiRoot: telegram.url,
  allowFrom: ['*'],
  sendHttp: () => Promise.reject(new Error('no pictures here')),
  logger,
  waitSeconds: 5,
});
process.once('SIGTERM', () => void stop());

async function stop(): Promise<void> {
  await door.close();
  await server.close();
}
