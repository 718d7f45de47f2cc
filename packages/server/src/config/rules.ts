// Rules between settings that are each valid on their own.
import { type PersonName, type Sentence, say } from '@parley/protocol';
import { isLoopback, proxyUrl } from '../basics/proxy-routes.ts';
import { botsOf } from './bots.ts';
import { nearest } from './nearest.ts';
import type { Config } from './schema.ts';
import { builtInNames } from './sections/assistants.ts';
import { toolSources } from './sections/mcp.ts';

interface Rule {
  /** The settings it reads, the one to fix first. The rule is skipped if one of them is already wrong. */
  readonly reads: readonly [string, ...string[]];
  /** Returns what is wrong, or undefined. */
  check(config: Config): { readonly message: string; readonly hint: string } | undefined;
}

export const rules: readonly Rule[] = [
  {
    reads: ['host', 'apiKey', 'apiKeys', 'familyPassword', 'familyPasswordHash'],
    check: ({ host, apiKey, apiKeys, familyPassword, familyPasswordHash }) =>
      isLoopback(host) || apiKey || apiKeys.length > 0 || familyPassword || familyPasswordHash !== undefined
        ? undefined
        : {
            message: `other machines could reach Parley at ${host}, but no API key or password is configured`,
            hint: 'Set PARLEY_API_KEY or FAMILY_PASSWORD to a long random value, or listen on 127.0.0.1.',
          },
  },
  {
    reads: ['familyPasswordHash', 'familyPassword'],
    check: ({ familyPassword, familyPasswordHash }) =>
      familyPassword && familyPasswordHash !== undefined
        ? {
            message: 'the family password is set twice: in plain text and as a hash',
            hint: 'Remove either familyPassword (FAMILY_PASSWORD) or familyPasswordHash.',
          }
        : undefined,
  },
  {
    reads: ['sessions.persist', 'database.url'],
    check: ({ sessions, database }) =>
      database.url && !sessions.persist
        ? {
            message: 'sessions can only be kept in memory without a PostgreSQL database',
            hint: 'Remove database.url (PARLEY_DATABASE_URL), or turn sessions.persist on.',
          }
        : undefined,
  },
  belongsToPeople(
    ['apiKeys'],
    ({ apiKeys }) => apiKeys.map(({ person }) => person),
    (stranger) => say`a key belongs to ${stranger}, who is not one of the people`,
  ),
  belongsToPeople(
    ['claude.owner'],
    ({ claude: { owner } }) => [owner],
    (stranger) => say`Claude Code sessions belong to ${stranger}, who is not one of the people`,
  ),
  needsToken('telegram'),
  needsToken('discord'),
  {
    reads: ['channels.more', 'channels.telegram.token', 'channels.discord.token'],
    check: (config) => {
      const bots = botsOf(config).flatMap(({ name, token }) =>
        token ? { name, token: token.reveal() } : [],
      );
      const second = bots.find(({ token }, index) => bots.findIndex((bot) => bot.token === token) < index);
      const first = bots.find(({ token }) => token === second?.token);
      return (
        first &&
        second && {
          message: `the bots ${first.name} and ${second.name} have the same token`,
          hint: 'Only one server can use a token at a time. Give each bot its own token, or remove one of them.',
        }
      );
    },
  },
  {
    reads: ['assistants'],
    check: ({ assistants }) => {
      const known = (at: number) => [
        ...new Set([...builtInNames, ...assistants.slice(0, at).map(({ name }) => name)]),
      ];
      const at = assistants.findIndex(
        ({ extends: base }, index) => base !== undefined && !known(index).includes(base),
      );
      const lost = assistants[at];
      return (
        lost && {
          message: `the assistant ${lost.name} extends ${lost.extends}, which does not exist or comes later in the list`,
          hint: `Choose from: ${known(at).join(', ')}.`,
        }
      );
    },
  },
  {
    reads: ['assistants', 'mcpServers'],
    check: ({ assistants, mcpServers }) => {
      const known = toolSources(mcpServers);
      const named = assistants.flatMap(({ name, tools }) => tools.map((tool) => ({ name, tool })));
      const lost = named.find(({ tool }) => !known.includes(tool));
      if (lost === undefined) return undefined;
      const meant = nearest(lost.tool, known);
      return {
        message: `the assistant ${lost.name} uses the tools of ${lost.tool}, which does not exist`,
        hint:
          meant === undefined
            ? `Add ${lost.tool} to mcpServers, or choose from: ${known.join(', ')}.`
            : `Did you mean ${meant}?`,
      };
    },
  },
  {
    reads: ['web.search', 'web.searxng.url', 'web.brave.apiKey'],
    check: ({ web }) => {
      if (web.search === 'searxng' && web.searxng.url === undefined)
        return { message: 'web search uses SearXNG, but its address is not set', hint: 'Set SEARXNG_URL.' };
      if (web.search === 'brave' && web.brave.apiKey === undefined)
        return { message: 'web search uses Brave, but its API key is not set', hint: 'Set BRAVE_API_KEY.' };
      return undefined;
    },
  },
  {
    reads: ['linkedin.clientSecret', 'linkedin.clientId'],
    check: ({ linkedin: { clientId, clientSecret } }) =>
      (clientId === undefined) === (clientSecret === undefined)
        ? undefined
        : {
            message: 'only one of the LinkedIn client id and secret is set',
            hint: 'Set both LINKEDIN_CLIENT_ID and LINKEDIN_CLIENT_SECRET, or neither.',
          },
  },
  {
    reads: ['proxy.all', 'proxy.https', 'proxy.http'],
    check: ({ proxy: { all, https, http } }) => {
      if (all === undefined || (https && http) || proxyUrl(all.reveal())) return undefined;
      const isSocks = /^socks/i.test(all.reveal());
      return {
        message: isSocks ? 'SOCKS proxies are not supported' : 'expected the address of an HTTP proxy',
        hint: isSocks
          ? 'Set both HTTPS_PROXY and HTTP_PROXY to an HTTP proxy, or remove ALL_PROXY.'
          : 'Use an address such as http://proxy.example:3128.',
      };
    },
  },
  belongsToPeople(
    ['linkedin.accounts'],
    ({ linkedin }) => linkedin.accounts.map(({ person }) => person),
    (stranger) => say`a LinkedIn token belongs to ${stranger}, who is not one of the people`,
  ),
];

/** For a bot that somebody has turned on explicitly. */
function needsToken(service: 'telegram' | 'discord'): Rule {
  return {
    reads: [`channels.${service}.token`, `channels.${service}.enabled`],
    check: ({ channels: { [service]: bot } }) =>
      bot.enabled === true && bot.token === undefined
        ? {
            message: 'the bot is enabled, but it has no token',
            hint: `Set ${service.toUpperCase()}_BOT_TOKEN, or set channels.${service}.enabled to false.`,
          }
        : undefined,
  };
}

/** For settings that may only name people of the configuration. */
function belongsToPeople(
  keys: readonly [string, ...string[]],
  named: (config: Config) => readonly (PersonName | undefined)[],
  messageFor: (stranger: PersonName) => Sentence,
): Rule {
  return {
    // Demo mode, which depends on the API key, has its own people.
    reads: [...keys, 'people', 'demo', 'anthropic.apiKey'],
    check(config) {
      const { people } = config;
      const stranger = named(config).find((person) => person !== undefined && !people.includes(person));
      if (stranger === undefined) return undefined;
      return {
        message: messageFor(stranger),
        hint: `Add ${stranger} to people, or choose from: ${people.join(', ')}.`,
      };
    },
  };
}
