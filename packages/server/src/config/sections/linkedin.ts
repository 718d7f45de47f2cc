// LinkedIn: the app that people connect through, or their tokens, and whether it asks before it publishes.
import { PersonName } from '@parley/protocol';
import { z } from 'zod';
import { isHttpAddress } from '../http-address.ts';
import { Secret } from '../secret.ts';
import { section, setting } from '../setting.ts';

/** LinkedIn's own, whose consent page stands elsewhere. */
export const publicApiRoot = 'https://api.linkedin.com';

const address = z.string().refine(isHttpAddress, 'expected an http or https address');
const secretText = z
  .string()
  .min(1)
  .transform((value) => new Secret(value));

const AccountEntry = z.strictObject({
  person: setting(PersonName, { meaning: 'Whose account it is.' }),
  accessToken: setting(secretText, { secret: true, meaning: 'A token with the scope `w_member_social`.' }),
  author: setting(
    z
      .string()
      .regex(/^urn:li:person:[\w-]{1,64}$/, 'expected urn:li:person:…')
      .optional(),
    { meaning: 'Who they are on LinkedIn. Left out, LinkedIn is asked, which needs the scope `openid`.' },
  ),
});

export const linkedin = {
  linkedin: section({
    clientId: setting(z.string().min(1).optional(), {
      env: 'LINKEDIN_CLIENT_ID',
      meaning:
        'The id of your app at LinkedIn. With it, people connect their accounts at `/api/linkedin/connect`.',
    }),
    clientSecret: setting(secretText.optional(), {
      env: 'LINKEDIN_CLIENT_SECRET',
      secret: true,
      meaning: "The app's secret.",
    }),
    accounts: setting(z.array(AccountEntry).default([]), {
      secret: true,
      meaning: 'Tokens of people who do not connect by themselves.',
      hint: 'Each entry is {"person": "…", "accessToken": "…"}, with "author" if you like.',
    }),
    confirm: setting(z.boolean().default(true), {
      meaning:
        'Where nobody can be asked while the assistant works, as over the REST endpoints, true shows a preview first and publishes after the next message has confirmed it.',
    }),
    version: setting(
      z
        .string()
        .regex(/^20\d{4}$/, 'expected year and month')
        .default('202606'),
      {
        meaning: 'The version of the LinkedIn API that is spoken: a month, for about a year.',
        hint: 'Give year and month, such as 202606.',
      },
    ),
    apiRoot: setting(address.default(publicApiRoot), {
      env: 'LINKEDIN_API_ROOT',
      meaning: 'The address of the LinkedIn API.',
    }),
    authRoot: setting(address.optional(), {
      fallback: '`https://www.linkedin.com`; with an `apiRoot` of your own, that',
      meaning: 'The address of the site on which people allow the app.',
    }),
  }),
};
