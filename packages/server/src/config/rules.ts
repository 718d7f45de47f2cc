// Rules between settings that are each valid on their own.
import { isIPv4 } from 'node:net';
import { botsOf } from './bots.ts';
import { nearest } from './nearest.ts';
import type { Config } from './schema.ts';
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
    reads: ['apiKeys', 'people', 'demo', 'anthropic.apiKey'],
    check: ({ apiKeys, people }) => {
      const stranger = apiKeys.find(({ person }) => person !== undefined && !people.includes(person))?.person;
      return stranger === undefined
        ? undefined
        : {
            message: `a key belongs to ${stranger}, who is not one of the people`,
            hint: `Add ${stranger} to people, or give the key to one of: ${people.join(', ')}.`,
          };
    },
  },
  {
    reads: ['claude.owner', 'claude.terminalPeople', 'people', 'demo', 'anthropic.apiKey'],
    check: ({ claude, people }) => {
      const named = [...(claude.owner === undefined ? [] : [claude.owner]), ...(claude.terminalPeople ?? [])];
      const stranger = named.find((name) => !people.includes(name));
      return stranger === undefined
        ? undefined
        : {
            message: `${stranger} is not one of the people`,
            hint: `Add ${stranger} to people, or choose from: ${people.join(', ')}.`,
          };
    },
  },
  {
    reads: ['channels.person', 'channels.people', 'people', 'demo', 'anthropic.apiKey'],
    check: ({ channels, people }) => {
      const named = [
        ...(channels.person === undefined ? [] : [channels.person]),
        ...Object.values(channels.people),
      ];
      const stranger = named.find((name) => !people.includes(name));
      return stranger === undefined
        ? undefined
        : {
            message: `a chat belongs to ${stranger}, who is not one of the people`,
            hint: `Add ${stranger} to people, or choose from: ${people.join(', ')}.`,
          };
    },
  },
  {
    reads: ['channels.more', 'people', 'demo', 'anthropic.apiKey'],
    check: ({ channels, people }) => {
      const bot = channels.more.find(({ person }) => person !== undefined && !people.includes(person));
      return (
        bot && {
          message: `the chats of ${bot.name} belong to ${bot.person}, who is not one of the people`,
          hint: `Add ${bot.person} to people, or choose one of: ${people.join(', ')}.`,
        }
      );
    },
  },
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
    reads: ['linkedin.accounts', 'people', 'demo', 'anthropic.apiKey'],
    check: ({ linkedin, people }) => {
      const stranger = linkedin.accounts.find(({ person }) => !people.includes(person))?.person;
      return stranger === undefined
        ? undefined
        : {
            message: `a LinkedIn token belongs to ${stranger}, who is not one of the people`,
            hint: `Add ${stranger} to people, or give the token to one of: ${people.join(', ')}.`,
          };
    },
  },
];

export function isLoopback(host: string): boolean {
  return host.toLowerCase() === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}
