// Who may use the server, from where, and under which host names.
import { isIP } from 'node:net';
import { PersonName, say } from '@parley/protocol';
import { z } from 'zod';
import { setting } from '../setting.ts';
import { secretText } from './values.ts';

const ApiKeyEntry = z
  .strictObject({
    key: setting(secretText().optional(), { secret: true, meaning: 'The key itself.' }),
    sha256: setting(
      z
        .string()
        .regex(/^[0-9a-f]{64}$/, 'expected 64 lowercase hexadecimal digits')
        .optional(),
      {
        meaning:
          'Use this instead of `key` to keep the secret out of the file: its SHA-256 hash in hexadecimal.',
        hint: "Create it with: printf %s 'the key' | sha256sum",
      },
    ),
    person: setting(PersonName.optional(), {
      meaning: 'The person the key belongs to. Without it, each request names the person.',
    }),
    label: setting(z.string().min(1).optional(), { meaning: 'What the key is for.' }),
  })
  .refine((entry) => (entry.key === undefined) !== (entry.sha256 === undefined), {
    error: 'expected either key or sha256',
  });

export const access = {
  apiKey: setting(secretText().optional(), {
    env: 'PARLEY_API_KEY',
    secret: true,
    fallback: 'created on the first start',
    meaning: 'The API key that programs send as `X-API-Key` or as a bearer token.',
  }),
  apiKeys: setting(z.array(ApiKeyEntry).default([]), {
    secret: true,
    meaning:
      'More API keys, each for one program or one person. They are read when the server starts, so one that you remove keeps working until the next start. Keys from `parley keys` or the app can be revoked at once.',
    hint: 'Each entry is {"key": "…"} or {"sha256": "…"}, and can have "person" and "label".',
  }),
  familyPassword: setting(secretText().optional(), {
    env: 'FAMILY_PASSWORD',
    secret: true,
    fallback: 'a passphrase is created on the first start',
    meaning: 'The password that the household uses to log in with a browser.',
  }),
  familyPasswordHash: setting(
    z
      .string()
      .regex(/^\$argon2(id|i|d)\$v=19\$m=\d+,t=\d+,p=\d+\$[\w+/]+\$[\w+/]+$/, 'expected an argon2 hash')
      .optional(),
    {
      secret: true,
      meaning: 'Use this instead of `familyPassword` to keep the secret out of the file: its argon2 hash.',
      hint: 'It starts with $argon2id$. Create it with: parley password (npm start -- password)',
    },
  ),
  loginDays: setting(z.int().min(1).max(3_650).default(30), {
    meaning: 'A browser login expires after this many days without use.',
  }),
  shareLinks: setting(z.boolean().default(true), {
    env: 'PARLEY_SHARE_LINKS',
    form: 'boolean',
    meaning: say`Whether people may make links that show parts of their conversations to anybody who has the link. Turning it off also stops existing links.`,
    hint: 'Use true or false.',
  }),
  publicHosts: setting(
    z
      .array(
        z.string().regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/, 'expected a host name without port and path'),
      )
      .default([]),
    {
      env: 'PARLEY_PUBLIC_HOSTS',
      form: 'list',
      meaning:
        'Host names that browsers use for this server, in addition to its address and localhost. Requests for other hosts are refused.',
      hint: 'Use lowercase names such as parley.example.org, without https:// and without a port.',
    },
  ),
  trustedProxies: setting(
    z.array(z.string().refine(isNetwork, 'expected an IP address or a network')).default([]),
    {
      env: 'PARLEY_TRUSTED_PROXIES',
      form: 'list',
      meaning: 'Addresses or networks of reverse proxies whose `X-Forwarded-For` is trusted.',
      hint: 'Use an address such as 127.0.0.1 or a network such as 10.0.0.0/8.',
    },
  ),
};

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}
