// All configured bots: `channels.telegram`, `channels.discord` and those of `channels.more`, each with its complete
// settings.
import type { ChatService, PersonName } from '@parley/protocol';
import type { Config } from './schema.ts';
import type { Secret } from './secret.ts';

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
  /** Where its settings are, for messages. */
  readonly places: { readonly token: string; readonly allowFrom: string };
}

export function botsOf(config: Pick<Config, 'channels' | 'workspace' | 'model'>): readonly ConfiguredBot[] {
  const { channels, workspace, model } = config;
  const { engine, assistant, permissionMode, person } = channels;
  const defaults = { engine, assistant, model, workspace, permissionMode, person };
  const first = (['telegram', 'discord'] as const).map((service): ConfiguredBot => {
    const { enabled, token, allowFrom, apiRoot } = channels[service];
    const variable = service.toUpperCase();
    return {
      ...defaults,
      name: service,
      service,
      token,
      isEnabled: token !== undefined && enabled !== false,
      allowFrom,
      apiRoot,
      places: { token: `${variable}_BOT_TOKEN`, allowFrom: `${variable}_ALLOW_FROM` },
    };
  });
  const more = channels.more.map(
    (bot): ConfiguredBot => ({
      name: bot.name,
      service: bot.service,
      token: bot.token,
      isEnabled: true,
      allowFrom: bot.allowFrom,
      apiRoot: bot.apiRoot ?? channels[bot.service].apiRoot,
      engine: bot.engine ?? engine,
      assistant: bot.assistant ?? assistant,
      model: bot.model ?? model,
      workspace: bot.workspace ?? workspace,
      permissionMode: bot.permissionMode ?? permissionMode,
      person: bot.person ?? person,
      places: {
        token: `the token of ${bot.name} in channels.more`,
        allowFrom: `the allowFrom of ${bot.name} in channels.more`,
      },
    }),
  );
  return [...first, ...more];
}
