// A server in a process of its own, with everything that it talks to: the model, Telegram and Discord as stand-ins, the
// real `claude` program, and a line to it that can be cut.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient, type ParleyClient } from '@parley/client';
import type { ChannelOverview } from '@parley/protocol';
import {
  type BreakableLine,
  type DiscordStandIn,
  lineTo,
  startDiscordStandIn,
  startTelegramStandIn,
  type TelegramStandIn,
} from '@parley/stand-ins';
import { WebSocket } from 'ws';
import { heapGauge } from '../../bench/parts/gauges.ts';
import { apiKey, type Running, startServer } from '../../bench/parts/processes.ts';
import { startFaultyModel } from './faulty-model.ts';

export interface SoakServer {
  readonly server: Running;
  /** Has everything that the server writes, including temporary files. */
  readonly home: string;
  readonly workingDir: string;
  readonly line: BreakableLine;
  /** Two programs that stay connected over the line: one with a WebSocket, one with event streams. */
  readonly clients: readonly ParleyClient[];
  readonly telegram: TelegramStandIn;
  readonly discord: DiscordStandIn;
  /** Bytes that the server uses after a garbage collection. */
  heap(): Promise<number>;
  /** Resolves when the server has stopped. What it left behind is still there. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

/** Uses the terminal, with a folder of their own, in which the server answers the program's first questions. */
export const typist = 'petra';
/** The ids of the people who write to the bots start here. */
export const senders = 1_000;

export async function openSoakServer(): Promise<SoakServer> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'parley-soak-')));
  const [home, workingDir, temporary] = ['home', 'work', 'home/tmp'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const path of [workingDir, temporary]) mkdirSync(path, { recursive: true });
  const gauge = heapGauge(folder);
  const model = await startFaultyModel();
  const telegram = await startTelegramStandIn();
  const discord = await startDiscordStandIn();
  const bot = ({ url, token }: { readonly url: string; readonly token: string }) => ({
    token,
    apiRoot: url,
    allowFrom: ['*'],
  });
  const server = await startServer(model.url, {
    home,
    config: {
      people: ['bench', typist],
      workRoots: [workingDir],
      claude: { warmProcesses: 0, maxProcesses: 3, terminalPeople: [typist] },
      channels: { engine: 'messages-api', telegram: bot(telegram), discord: bot(discord) },
    },
    // What the program can't report would stay in files.
    environment: { TMPDIR: temporary, DISABLE_TELEMETRY: '1', DISABLE_AUTOUPDATER: '1' },
    nodeFlags: gauge.flags,
  });
  await untilBotsRun(server);
  const line = await lineTo(server.url);
  const connect = (transport: 'websocket' | 'sse') =>
    createClient({ baseUrl: line.url, apiKey, person: () => 'bench', WebSocket, transport });
  const clients = [connect('websocket'), connect('sse')];
  const stop = async () => {
    for (const client of clients) client.close();
    await line.close();
    await server.close();
    await Promise.all([model.close(), telegram.close(), discord.close()]);
  };
  return {
    server,
    home,
    workingDir,
    line,
    clients,
    telegram,
    discord,
    stop,
    heap: () => gauge.read(server.pid),
    close: async () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** Waits for both bots, because a bot ignores what was written before its first start. */
async function untilBotsRun({ url }: Running): Promise<void> {
  for (;;) {
    const response = await fetch(`${url}/api/channels`, { headers: { 'x-api-key': apiKey } });
    const { channels } = (await response.json()) as ChannelOverview;
    if (channels.length === 2 && channels.every(({ state }) => state === 'running')) return;
    await pause(50);
  }
}
