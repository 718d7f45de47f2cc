// Who may come in, from where, and under which name the server is known.
import { isIP } from 'node:net';
import { PersonName } from '@parley/protocol';
import { z } from 'zod';
import { Secret } from '../secret.ts';
import { setting } from '../setting.ts';

const secretText = z
  .string()
  .min(1)
  .transform((value) => new Secret(value));

const ApiKeyEntry = z
  .strictObject({
    key: setting(secretText.optional(), { secret: true, meaning: 'The key itself.' }),
    sha256: setting(
      z
        .string()
        .regex(/^[0-9a-f]{64}$/, 'expected 64 hexadecimal digits in lower case')
        .optional(),
      {
        meaning: 'Instead of `key`: its SHA-256 hash in hexadecimal, so that the file holds no secret.',
        hint: "Make it with: printf %s 'the key' | sha256sum",
      },
    ),
    person: setting(PersonName.optional(), {
      meaning: 'The person for whom this key speaks; without it, a request names the person.',
    }),
    label: setting(z.string().min(1).optional(), { meaning: 'What the key is for.' }),
  })
  .refine((entry) => (entry.key === undefined) !== (entry.sha256 === undefined), {
    error: 'expected either key or sha256',
  });

export const access = {
  apiKey: setting(secretText.optional(), {
    env: 'PARLEY_API_KEY',
    secret: true,
    fallback: 'one is made at the first start',
    meaning: 'The API key that programs send as `X-API-Key` or bearer token.',
  }),
  apiKeys: setting(z.array(ApiKeyEntry).default([]), {
    secret: true,
    meaning: 'More API keys, each for one program or one person.',
    hint: 'Each entry is {"key": "…"} or {"sha256": "…"}, with "person" and "label" if you like.',
  }),
  familyPassword: setting(secretText.optional(), {
    env: 'FAMILY_PASSWORD',
    secret: true,
    fallback: 'a pass phrase is made at the first start',
    meaning: 'The password with which the household logs in on a browser.',
  }),
  familyPasswordHash: setting(
    z
      .string()
      .regex(/^\$argon2(id|i|d)\$v=19\$m=\d+,t=\d+,p=\d+\$[\w+/]+\$[\w+/]+$/, 'expected an argon2 hash')
      .optional(),
    {
      secret: true,
      meaning: 'Instead of `familyPassword`: its argon2 hash, so that the file holds no secret.',
      hint: 'It begins with $argon2id$. Make it with: parley password (npm start -- password)',
    },
  ),
  loginDays: setting(z.int().min(1).max(3_650).default(30), {
    meaning: 'A login on a browser ends when it was not used for so many days.',
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
        'Names under which browsers reach this server besides its address and localhost; requests for other hosts are refused.',
      hint: 'Give names in lower case, such as parley.example.org, without https:// and without port.',
    },
  ),
  trustedProxies: setting(
    z.array(z.string().refine(isNetwork, 'expected an IP address or a network')).default([]),
    {
      env: 'PARLEY_TRUSTED_PROXIES',
      form: 'list',
      meaning: 'Addresses or networks of reverse proxies whose `X-Forwarded-For` is believed.',
      hint: 'Give an address such as 127.0.0.1 or a network such as 10.0.0.0/8.',
    },
  ),
};

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}
