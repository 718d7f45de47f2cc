// What must hold between settings that are each right on their own.
import { isIPv4 } from 'node:net';
import type { Config } from './schema.ts';

interface Rule {
  /** The settings it looks at, the one to mend first. It is passed over when one of them is wrong already. */
  readonly reads: readonly [string, ...string[]];
  /** What is wrong, undefined when all is well. */
  check(config: Config): { readonly message: string; readonly hint: string } | undefined;
}

export const rules: readonly Rule[] = [
  {
    reads: ['host', 'apiKey', 'apiKeys'],
    check: ({ host, apiKey, apiKeys }) =>
      isLoopback(host) || apiKey || apiKeys.length > 0
        ? undefined
        : {
            message: `others could reach Parley at ${host}, and no secret is configured to keep them out`,
            hint: 'Set PARLEY_API_KEY to a long random text, or listen on 127.0.0.1.',
          },
  },
  {
    reads: ['apiKeys', 'people', 'demo', 'anthropic.apiKey'],
    check: ({ apiKeys, people }) => {
      const stranger = apiKeys.find(({ person }) => person !== undefined && !people.includes(person))?.person;
      return stranger === undefined
        ? undefined
        : {
            message: `a key speaks for ${stranger}, who is not one of the people`,
            hint: `Add ${stranger} to people, or bind the key to one of: ${people.join(', ')}.`,
          };
    },
  },
];

export function isLoopback(host: string): boolean {
  return host.toLowerCase() === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}
