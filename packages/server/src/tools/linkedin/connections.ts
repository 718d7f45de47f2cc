// Connects LinkedIn: a login starts it, and the same login finishes it when LinkedIn has sent the browser back. Each attempt
// works once, for ten minutes.
import { randomBytes } from 'node:crypto';
import { ParleyError, type PersonName } from '@parley/protocol';
import { BoundedMap } from '../../basics/bounded-map.ts';
import type { Clock } from '../../domain/clock.ts';
import type { LinkedInConnections } from '../../domain/linkedin.ts';
import type { Accounts } from './accounts.ts';
import { authorOf, consentUrl, type OAuthOptions, redeemCode } from './oauth.ts';

interface Attempt {
  readonly person: PersonName;
  readonly redirectUri: string;
  readonly login: string;
  readonly endsAt: number;
}

const attemptMs = 10 * 60_000;
const mostAttempts = 200;

export function createConnections(
  accounts: Accounts,
  oauth: OAuthOptions | undefined,
  clock: Clock,
): LinkedInConnections {
  const attempts = new BoundedMap<string, Attempt>(mostAttempts);

  return {
    begin(person, login, redirectUri) {
      if (oauth === undefined) {
        throw new ParleyError(
          'unavailable',
          'LinkedIn is not set up. Set LINKEDIN_CLIENT_ID and LINKEDIN_CLIENT_SECRET and restart Parley.',
        );
      }
      const state = randomBytes(32).toString('base64url');
      attempts.set(state, { person, login, redirectUri, endsAt: clock.now() + attemptMs });
      return Promise.resolve(consentUrl(oauth, state, redirectUri));
    },

    async finish({ state, login, code, error, signal }) {
      const attempt = attempts.get(state);
      if (attempt === undefined || oauth === undefined || attempt.login !== login) {
        throw new ParleyError('forbidden', 'This connection was not started here. Start it again.');
      }
      attempts.delete(state);
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
