// All configured bots: `channels.telegram`, `channels.discord` and those of `channels.more`, each with its complete
// settings.
import type { ChatService, PersonName } from '@parley/protocol';
import type { Config } from './schema.ts';
import type { Secret } from './secret.ts';

export const serviceLabels: Readonly<Record<ChatService, string>> = {
  telegram: 'Telegram',
  discord: 'Discord',
};

export interface ConfiguredBot {
  /** `telegram`, `discord`, or a name from `channels.more`. */
  readonly name: string;
  readonly service: ChatService;
  /** Without a token there is no bot. */
  readonly token: Secret | undefined;
  readonly isEnabled: boolean;
  readonly allowFrom: readonly string[];
  readonly apiRoot: string;
  readonly engine: 'claude-code' | 'messages-api';
  readonly assistant: string;
  readonly model: string;
  readonly workspace: string;
  readonly permissionMode: 'full' | 'ask';
  /** Undefined means the first of the people. */
  readonly person: PersonName | undefined;
  /** What messages call its settings. */
  readonly places: { readonly token: string; readonly allowFrom: string };
}

/** An entry of `channels.more`, or the bot of a service, which has only the settings of all chats. */
type BotEntry = Omit<Config['channels']['more'][number], 'token' | 'enabled'> &
  Pick<ConfiguredBot, 'token' | 'isEnabled' | 'places'>;

export function botsOf(config: Pick<Config, 'channels' | 'workspace' | 'model'>): readonly ConfiguredBot[] {
  const { channels, workspace, model } = config;
  const own = (['telegram', 'discord'] as const).map((service): BotEntry => {
    const { enabled, token, ...bot } = channels[service];
    const variable = service.toUpperCase();
    const places = { token: `${variable}_BOT_TOKEN`, allowFrom: `${variable}_ALLOW_FROM` };
    const isEnabled = token !== undefined && enabled !== false;
    return { ...bot, token, name: service, service, isEnabled, places };
  });
  const more = channels.more.map(({ enabled, ...bot }): BotEntry => {
    const where = (key: string) => `the ${key} of ${bot.name} in channels.more`;
    return { ...bot, isEnabled: enabled, places: { token: where('token'), allowFrom: where('allowFrom') } };
  });
  return [...own, ...more].map((bot) => ({
    ...bot,
    apiRoot: bot.apiRoot ?? channels[bot.service].apiRoot,
    engine: bot.engine ?? channels.engine,
    assistant: bot.assistant ?? channels.assistant,
    model: bot.model ?? model,
    workspace: bot.workspace ?? workspace,
    permissionMode: bot.permissionMode ?? channels.permissionMode,
    person: bot.person ?? channels.person,
  }));
}

/** Placeholders that the summary prompt does not fill, such as `{{name}}`. */
export function unknownPlaceholders({ enabled, template }: Config['summaryPrompt']): readonly string[] {
  if (!enabled) return [];
  const names = [...template.matchAll(/\{\{\s*([^{}]*?)\s*\}\}/g)].map(([, name = '']) => name);
  return [...new Set(names)].filter((name) => name !== 'message' && name !== 'workspace');
}
