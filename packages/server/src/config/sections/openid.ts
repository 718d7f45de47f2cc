// OpenID Connect: an identity provider that people with accounts can log in with.
import { z } from 'zod';
import { section, setting } from '../setting.ts';
import { httpAddress, secretText } from './values.ts';

const loopback = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])([:/]|$)/;

export const openid = {
  openid: section({
    issuer: setting(
      httpAddress()
        .refine((url) => url.startsWith('https:') || loopback.test(url), 'expected https')
        .optional(),
      {
        env: 'PARLEY_OPENID_ISSUER',
        meaning:
          'The address of your identity provider. People with accounts can then log in there. Register `/login/openid/callback` on your address as its redirect URI.',
        hint: 'Use the address without /.well-known, such as https://id.example.org.',
      },
    ),
    clientId: setting(z.string().min(1).optional(), {
      env: 'PARLEY_OPENID_CLIENT_ID',
      meaning: 'The client id of Parley at the identity provider.',
    }),
    clientSecret: setting(secretText().optional(), {
      env: 'PARLEY_OPENID_CLIENT_SECRET',
      secret: true,
      meaning: 'The client secret. Leave it out for a public client.',
    }),
    name: setting(z.string().min(1).max(60).optional(), {
      fallback: 'the host name of `issuer`',
      meaning: 'What the login page calls the identity provider.',
    }),
  }),
};
