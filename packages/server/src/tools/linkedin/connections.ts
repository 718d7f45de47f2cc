// Connects a person's LinkedIn account. The login that starts an attempt has to finish it, when LinkedIn has sent the
// browser back. An attempt works once, for ten minutes. Its state travels with the browser, encrypted, so any server
// can finish it.
import { ParleyError } from '@parley/protocol';
import { z } from 'zod';
import { BoundedMap } from '../../basics/bounded-map.ts';
import type { Clock } from '../../domain/clock.ts';
import type { LinkedInConnections } from '../../domain/linkedin.ts';
import type { Accounts } from './accounts.ts';
import { authorOf, consentUrl, type OAuthOptions, redeemCode } from './oauth.ts';
import type { Sealed } from './sealed.ts';

const Attempt = z.object({
  person: z.string(),
  redirectUri: z.string(),
  login: z.string(),
  endsAt: z.number(),
});

const attemptMs = 10 * 60_000;
/** LinkedIn accepts a code only once anyway. Remembering used attempts gives a clear answer. */
const maxUsed = 200;

export function createConnections(
  accounts: Accounts,
  sealed: Sealed,
  oauth: OAuthOptions | undefined,
  clock: Clock,
): LinkedInConnections {
  const used = new BoundedMap<string, true>(maxUsed);

  return {
    async begin(person, login, redirectUri) {
      if (oauth === undefined) {
        throw new ParleyError(
          'unavailable',
          'LinkedIn is not set up. Set LINKEDIN_CLIENT_ID and LINKEDIN_CLIENT_SECRET and restart Parley.',
        );
      }
      const attempt = { person, login, redirectUri, endsAt: clock.now() + attemptMs };
      return consentUrl(oauth, await sealed.wrap(JSON.stringify(attempt)), redirectUri);
    },

    async finish({ state, login, code, error, signal }) {
      const text = used.has(state) ? undefined : await sealed.unwrap(state);
      const attempt = text === undefined ? undefined : Attempt.parse(JSON.parse(text));
      if (attempt === undefined || oauth === undefined || attempt.login !== login) {
        throw new ParleyError('forbidden', 'This connection was not started here. Start it again.');
      }
      used.set(state, true);
      if (attempt.endsAt < clock.now()) {
        throw new ParleyError('invalid', 'This took longer than ten minutes. Start the connection again.');
      }
      if (error !== undefined || code === undefined) {
        throw new ParleyError(
          'forbidden',
          'You did not allow the connection to LinkedIn, so nothing has changed.',
        );
      }
      const token = await redeemCode(oauth, code, attempt.redirectUri, signal);
      const author = await authorOf(oauth, token.accessToken, signal);
      await accounts.save(attempt.person, { ...token, author });
      return attempt.person;
    },

    status: (person) => accounts.status(person),
    forget: (person) => accounts.forget(person),
  };
}
