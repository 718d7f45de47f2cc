// A server with nothing but a Telegram bot and the real `claude` program, as a process of its own that a test can
// kill. Its only argument says where everything is.
import { join } from 'node:path';
import { silentLogger } from '../../../../../src/domain/logger.ts';
import { BotState } from '../../../../../src/doors/channels/core/bot-state.ts';
import { createChatCore } from '../../../../../src/doors/channels/core/chat-core.ts';
import { openSessionMap } from '../../../../../src/doors/channels/core/session-map.ts';
import { openTranscriptLog } from '../../../../../src/doors/channels/core/transcript-log.ts';
import { openTelegramDoor } from '../../../../../src/doors/channels/telegram/door.ts';
import { createClaudeCodeEngine } from '../../../../../src/engines/claude-code/engine.ts';
import { ownHome } from '../../../../../src/engines/claude-code/program-home.ts';
import { createWorkFolders } from '../../../../../src/engines/claude-code/work-folders.ts';
import { createGateway } from '../../../../../src/gateway/gateway.ts';
import { openSqliteStore } from '../../../../../src/stores/sqlite/store.ts';

export interface BotServerSetup {
  readonly folder: string;
  readonly workspace: string;
  readonly telegram: { readonly url: string; readonly token: string };
  readonly anthropicUrl: string;
  /** Where the program is found. */
  readonly program: string;
}

const { folder, workspace, telegram, anthropicUrl, program } = JSON.parse(
  process.argv[2] ?? '',
) as BotServerSetup;
const clock = { now: () => Date.now() };
const newId = () => crypto.randomUUID();
const logger = silentLogger;
const host = { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8' };

const store = await openSqliteStore({ file: join(folder, 'parley.db') });
const engine = createClaudeCodeEngine({
  program,
  home: await ownHome(join(folder, 'home'), host, { url: anthropicUrl, apiKey: 'stand-in-key' }),
  folders: createWorkFolders({ roots: [workspace] }),
  defaults: {},
  limits: { maxProcesses: 16, warmProcesses: 0, idleMs: 600_000 },
  clock,
  newId,
});
const gateway = createGateway({
  store,
  engines: [engine],
  clock,
  newId,
  logger,
  observer: { turnEnded: () => undefined },
  limits: { queue: 50, keptEvents: 1_000, log: { events: 1_024, bytes: 1_000_000 } },
});
const core = await createChatCore({
  gateway,
  outbox: store.outbox,
  map: await openSessionMap(join(folder, 'sessions.json'), clock, logger),
  transcript: openTranscriptLog({ enabled: false, path: '', maxBytes: 1, maxFiles: 1 }, logger),
  settings: {
    engine: 'claude-code',
    assistant: '',
    model: 'claude-sonnet-4-5',
    workspace,
    permissionMode: 'full',
    person: 'petra',
    people: {},
    maxToolIterations: 20,
    summaryPrompt: { enabled: false, template: '' },
  },
  clock,
  newId,
  logger,
  pauses: { firstMs: 50, mostMs: 500 },
});
await core.prepare();
await gateway.recover();
const door = openTelegramDoor({
  core,
  state: new BotState('telegram', clock),
  outbox: store.outbox,
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
  await core.close();
  await gateway.close();
  await engine.close();
  await store.close();
}
