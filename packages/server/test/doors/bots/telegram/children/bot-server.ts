// A server with only a Telegram bot and the real `claude` program, as a separate process that a test can kill. Its only
// argument says where everything is.
import { join } from 'node:path';
import { silentLogger } from '../../../../../src/domain/logger.ts';
import { openTelegramDoor } from '../../../../../src/doors/bots/telegram/door.ts';
import { createClaudeCodeEngine } from '../../../../../src/engines/claude-code/engine.ts';
import { createStandInHomes } from '../../../../../src/engines/claude-code/program-homes.ts';
import { createWorkFolders } from '../../../../../src/engines/claude-code/work-folders.ts';
import { trustBelow } from '../../../../support/folder-trust.ts';
import { clock, closeOnSignal, doorOptions, openChatServer } from '../../chat-server.ts';

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
  homes: createStandInHomes(host, {
    owner: 'petra',
    ownersFolder: join(folder, 'home'),
    folderOf: (person) => join(folder, 'people', person),
    upstream: { baseUrl: anthropicUrl, apiKey: 'stand-in-key' },
  }),
  trust: trustBelow(folder, createWorkFolders({ roots: [{ path: workspace }] })),
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
const door = openTelegramDoor({ ...doorOptions('telegram', server, telegram, logger), waitSeconds: 5 });
closeOnSignal(door, server);
