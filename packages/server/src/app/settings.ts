// The settings of the app: shows and changes them, and tries MCP servers and bots before they are saved.
import {
  type BotTrialResult,
  type DemoExitResult,
  type McpTrialResult,
  ParleyError,
  type Sentence,
  type SettingsTrial,
  say,
} from '@parley/protocol';
import { isRecord } from '../basics/is-record.ts';
import type { Outgoing } from '../basics/outgoing.ts';
import { Slots } from '../basics/slots.ts';
import { botsOf } from '../config/bots.ts';
import type { Environment } from '../config/environment.ts';
import { leaveDemo } from '../config/leave-demo.ts';
import type { LiveConfig } from '../config/live-config.ts';
import { settingsView } from '../config/settings-view.ts';
import type { AppSettings, Tried } from '../domain/app-settings.ts';
import { modelStatus } from '../engines/messages-api/api-client.ts';
import { askBotName } from './bot-account.ts';
import { configuredServers } from './outside-tools.ts';
import { tryServer } from './try-server.ts';

export interface SettingsSetup {
  readonly live: LiveConfig;
  readonly environment: Environment;
  readonly outgoing: Outgoing;
}

/** Limited, because each may start a program. */
const maxTrials = 3;

export function createAppSettings({ live, environment, outgoing }: SettingsSetup): AppSettings {
  const trials = new Slots(maxTrials);
  const view = () => settingsView(live.loaded);

  return {
    view,

    async change(changes) {
      await live.change(changes);
      return view();
    },

    async tryMcpServer({ name, value }, signal): Promise<Tried<McpTrialResult>> {
      const { mcpServers } = live.preview(`mcpServers.${name}`, value);
      const { dataDir } = live.current;
      const [server] = configuredServers({ mcpServers, dataDir });
      if (!server) return { ok: false, tools: [], problem: say`The server is turned off.` };
      return oneTrial(() => tryServer(server, { environment, outgoing, signal }));
    },

    async tryBot(trial, signal): Promise<Tried<BotTrialResult>> {
      const bot = candidate(trial);
      if (!bot?.token) return { ok: false, botName: null, problem: say`The bot has no token.` };
      const { token } = bot;
      const found = await oneTrial(() => askBotName({ ...bot, token: token.reveal() }, outgoing, signal));
      return { ok: found.ok, botName: found.botName, problem: found.problem };
    },

    async leaveDemo(apiKey, signal): Promise<Tried<DemoExitResult>> {
      if (!live.current.demo) throw noDemo;
      if (apiKey !== undefined) {
        live.learn([apiKey]);
        const problem = await oneTrial(() => keyProblem(apiKey, signal));
        if (problem) return { ok: false, problem };
      }
      await leaveDemo(live.loaded, apiKey);
      return { ok: true, problem: null };
    },
  };

  async function keyProblem(apiKey: string, signal: AbortSignal): Promise<Sentence | undefined> {
    const { anthropic, model } = live.current;
    const status = await modelStatus(anthropic.baseUrl, { apiKey, model, outgoing, signal }).catch(() => 0);
    if (status === 401 || status === 403) return say`Anthropic does not accept this key.`;
    // 404 means that the key works but the model doesn't exist. It can be changed later.
    if (status > 0 && (status < 400 || status === 404)) return undefined;
    return say`The key could not be checked, because Anthropic could not be reached. Nothing was changed.`;
  }

  async function oneTrial<T>(trial: () => Promise<T>): Promise<T> {
    if (!trials.tryTake()) throw tooMany;
    try {
      return await trial();
    } finally {
      trials.release();
    }
  }

  function candidate({ name, value }: SettingsTrial) {
    const isOwn = name === 'telegram' || name === 'discord';
    const token = isRecord(value) ? value['token'] : value;
    const { channels } = isOwn
      ? live.preview(`channels.${name}.token`, token ?? null)
      : live.preview(`channels.more.${name}`, value);
    const { workspace, model, channels: current } = live.current;
    // The addresses of the services can't be set in the app.
    const services = {
      telegram: { ...channels.telegram, apiRoot: current.telegram.apiRoot },
      discord: { ...channels.discord, apiRoot: current.discord.apiRoot },
    };
    return botsOf({ workspace, model, channels: { ...channels, ...services } }).find(
      (bot) => bot.name === name,
    );
  }
}

const noDemo = new ParleyError('conflict', 'This is not the demo.');
const tooMany = new ParleyError('busy', 'Other tests are still running. Try again in a moment.');
