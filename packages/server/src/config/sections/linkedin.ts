// LinkedIn: the app that people connect through, or their tokens, and whether to ask before publishing.
import { PersonName, say } from '@parley/protocol';
import { z } from 'zod';
import { section, setting } from '../setting.ts';
import { httpAddress, secretText } from './values.ts';

/** LinkedIn's own API; its consent page has another address. */
export const publicApiRoot = 'https://api.linkedin.com';

const AccountEntry = z.strictObject({
  person: setting(PersonName, { meaning: 'The person who owns the account.' }),
  accessToken: setting(secretText(), { secret: true, meaning: 'A token with the scope `w_member_social`.' }),
  author: setting(
    z
      .string()
      .regex(/^urn:li:person:[\w-]{1,64}$/, 'expected urn:li:person:…')
      .optional(),
    {
      meaning:
        'The author on LinkedIn. If it is left out, Parley asks LinkedIn, which needs the scope `openid`.',
    },
  ),
});

export const linkedin = {
  linkedin: section({
    clientId: setting(z.string().min(1).optional(), {
      env: 'LINKEDIN_CLIENT_ID',
      meaning: say`The client ID of your LinkedIn app. With it, people connect their accounts at \`/api/linkedin/connect\`.`,
    }),
    clientSecret: setting(secretText().optional(), {
      env: 'LINKEDIN_CLIENT_SECRET',
      secret: true,
      meaning: say`The client secret of your LinkedIn app.`,
    }),
    accounts: setting(z.array(AccountEntry).default([]), {
      secret: true,
      meaning: 'Tokens of people who do not connect their accounts themselves.',
      hint: 'Each entry is {"person": "…", "accessToken": "…"}, and can have "author".',
    }),
    confirm: setting(z.boolean().default(true), {
      meaning: say`Applies where Parley cannot ask for permission during a turn, such as over the REST endpoints: if true, it shows a preview and publishes only after the next message confirms it.`,
    }),
    version: setting(
      z
        .string()
        .regex(/^20\d{4}$/, 'expected a year and month')
        .default('202606'),
      {
        meaning: 'The version of the LinkedIn API: a month. LinkedIn supports each version for about a year.',
        hint: 'Use a year and month such as 202606.',
      },
    ),
    apiRoot: setting(httpAddress().default(publicApiRoot), {
      env: 'LINKEDIN_API_ROOT',
      meaning: 'The address of the LinkedIn API.',
    }),
    authRoot: setting(httpAddress().optional(), {
      fallback: '`https://www.linkedin.com`, or your own `apiRoot`',
      meaning: "The address of LinkedIn's consent page.",
    }),
  }),
};
