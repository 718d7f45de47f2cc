// Passkeys (WebAuthn). The library is loaded with the first one.
import { createHash, randomBytes } from 'node:crypto';
import { ParleyError, type PersonName } from '@parley/protocol';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { AccountStore, Passkey } from '../domain/accounts.ts';
import type { Clock } from '../domain/clock.ts';
import type { CredentialOptions, Passkeys } from '../domain/passkeys.ts';
import { Challenges } from './challenges.ts';

export interface PasskeysOptions {
  readonly store: Pick<AccountStore, 'findPasskey' | 'usedPasskey'>;
  readonly clock: Clock;
  /** Signs the challenges of all servers. Without it, challenges don't survive a restart. */
  readonly key?: Buffer | undefined;
}

type Transports = NonNullable<RegistrationResponseJSON['response']['transports']>;

const logIn = 'log in';

export function createPasskeys({ store, clock, key = randomBytes(32) }: PasskeysOptions): Passkeys {
  const challenges = new Challenges(clock, key);

  return {
    async creationOptions({ host }, { person, displayName }, present) {
      const { generateRegistrationOptions } = await import('@simplewebauthn/server');
      const options = await generateRegistrationOptions({
        rpName: 'Parley',
        rpID: host,
        userID: userHandle(person),
        userName: person,
        userDisplayName: displayName,
        challenge: Uint8Array.from(challenges.make(creation(person))),
        attestationType: 'none',
        excludeCredentials: present
          .filter((passkey) => passkey.host === host)
          .map(({ id, transports }) => ({ id, transports: transports as Transports })),
        // It is the only factor, so the device has to check who holds it, and it has to work without a name.
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      });
      return options as unknown as CredentialOptions;
    },

    async created({ origin, host }, person, { name, response }) {
      const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
      const answer = response as RegistrationResponseJSON;
      let challenge = '';
      const verified = await verifyRegistrationResponse({
        response: answer,
        expectedChallenge: (given) => {
          challenge = given;
          return challenges.isOpen(given, creation(person));
        },
        expectedOrigin: origin,
        expectedRPID: host,
        requireUserVerification: true,
      }).catch(refuse('invalid', notMade));
      if (!verified.verified || !challenges.use(challenge)) throw notMade;
      const { credential } = verified.registrationInfo;
      return {
        id: credential.id,
        name,
        publicKey: Buffer.from(credential.publicKey).toString('base64url'),
        counter: credential.counter,
        transports: credential.transports ?? [],
        host,
        createdAt: clock.now(),
      };
    },

    async requestOptions({ host }) {
      const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
      const options = await generateAuthenticationOptions({
        rpID: host,
        challenge: Uint8Array.from(challenges.make(logIn)),
        userVerification: 'required',
      });
      return options as unknown as CredentialOptions;
    },

    async used({ origin, host }, response) {
      const answer = response as AuthenticationResponseJSON;
      const passkey = await find(answer);
      const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
      let challenge = '';
      const verified = await verifyAuthenticationResponse({
        response: answer,
        expectedChallenge: (given) => {
          challenge = given;
          return challenges.isOpen(given, logIn);
        },
        expectedOrigin: origin,
        expectedRPID: host,
        requireUserVerification: true,
        // Rejects a counter that doesn't grow: the passkey was copied.
        credential: {
          id: passkey.id,
          publicKey: Uint8Array.from(Buffer.from(passkey.publicKey, 'base64url')),
          counter: passkey.counter,
          transports: passkey.transports as Transports,
        },
      }).catch(refuse('unauthenticated', notKnown));
      if (!verified.verified || !challenges.use(challenge)) throw notKnown;
      await store.usedPasskey(passkey.id, verified.authenticationInfo.newCounter, clock.now());
      return passkey;
    },
  };

  async function find({ id }: Partial<AuthenticationResponseJSON>): Promise<Passkey> {
    const passkey = typeof id === 'string' ? await store.findPasskey(id) : undefined;
    if (!passkey) throw notKnown;
    return passkey;
  }
}

function creation(person: PersonName): string {
  return `create ${person}`;
}

/** Authenticators want an id that says nothing about the person. */
function userHandle(person: PersonName): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(createHash('sha256').update(`parley ${person}`).digest());
}

function refuse(code: ParleyError['code'], { message }: ParleyError) {
  return (cause: unknown): never => {
    throw new ParleyError(code, message, { cause });
  };
}

const notMade = new ParleyError('invalid', 'The passkey could not be added. Try again.');
const notKnown = new ParleyError(
  'unauthenticated',
  'This passkey is not known here, or it did not answer in time.',
);
