// Which settings can be changed in the app, and when a change takes effect. All others are read once, at the start.
import { isCollection } from './collections.ts';
import { allSettings } from './schema.ts';
import type { Setting } from './setting.ts';

/**
 * `now`: at once. `next-turn`: running turns finish as they began. `new-sessions`: existing sessions stay as they are.
 * `restarts-bot`: at once, and the bots that it affects reconnect. `next-start`: when the server starts again.
 */
export type Applies = 'now' | 'next-turn' | 'new-sessions' | 'restarts-bot' | 'next-start';

/**
 * Left out on purpose: settings that decide where data is and who gets in, which a mistake in a browser must not change;
 * addresses that receive a secret from another setting; and anything that widens access to the local network. `demo` and
 * the key decide where data is, too: a change that would begin or end the demo is refused (see leave-demo.ts).
 */
const table: Readonly<Record<string, Applies>> = {
  demo: 'next-start',
  'anthropic.apiKey': 'next-start',
  firstSteps: 'now',
  model: 'next-turn',
  models: 'now',
  assistants: 'next-turn',
  caution: 'next-turn',
  mcpServers: 'next-turn',
  workRoots: 'now',
  'claude.model': 'new-sessions',
  'claude.permissionMode': 'new-sessions',
  'web.search': 'next-turn',
  'web.searxng.url': 'next-turn',
  'web.brave.apiKey': 'next-turn',
  'linkedin.clientId': 'now',
  'linkedin.clientSecret': 'now',
  'linkedin.confirm': 'next-turn',
  'channels.engine': 'restarts-bot',
  'channels.assistant': 'restarts-bot',
  'channels.permissionMode': 'restarts-bot',
  'channels.person': 'restarts-bot',
  'channels.people': 'restarts-bot',
  'channels.telegram.enabled': 'restarts-bot',
  'channels.telegram.token': 'restarts-bot',
  'channels.telegram.allowFrom': 'restarts-bot',
  'channels.discord.enabled': 'restarts-bot',
  'channels.discord.token': 'restarts-bot',
  'channels.discord.allowFrom': 'restarts-bot',
  'channels.more': 'restarts-bot',
  'summaryPrompt.enabled': 'restarts-bot',
  'summaryPrompt.template': 'restarts-bot',
  maxToolIterations: 'restarts-bot',
  'limits.maxToolIterations': 'next-turn',
  'limits.toolSeconds': 'next-turn',
  'limits.toolResultBytes': 'next-turn',
  'limits.contextTokens': 'next-turn',
  'limits.outputTokens': 'next-turn',
  shareLinks: 'now',
  'log.level': 'now',
};

/** Undefined if it can't be changed in the app. */
export function appliesWhen(key: string): Applies | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

/** What the app stores as one value: a setting, or an entry of a collection. */
export interface Unit {
  readonly key: string;
  readonly setting: Setting;
  /** The name of the entry. */
  readonly entry?: string;
}

/** Undefined if the app can't set it. */
export function unitOf(key: string): Unit | undefined {
  const setting = allSettings.find((one) => key === one.key || key.startsWith(`${one.key}.`));
  if (!setting || appliesWhen(setting.key) === undefined) return undefined;
  const entry = key.slice(setting.key.length + 1);
  if (isCollection(setting.key)) return entry === '' ? undefined : { key, setting, entry };
  return entry === '' ? { key, setting } : undefined;
}
