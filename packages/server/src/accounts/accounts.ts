// Invitations, accounts, and everything that changes them. Keeps the directory of people up to date and the audit log
// complete.
import { createHash, randomBytes } from 'node:crypto';
import { type AuditAction, ParleyError, type PersonName, type Sentence, say } from '@parley/protocol';
import type { AccountActions, Credential, DoneBy } from '../domain/account-actions.ts';
import type { Account, AccountChange, AccountStore, Invitation, Passkey } from '../domain/accounts.ts';
import type { AuditLog } from '../domain/audit-log.ts';
import type { Clock, NewId } from '../domain/clock.ts';
import type { PasswordHashes } from '../domain/password-hashes.ts';
import type { People } from '../domain/people.ts';
import type { StrengthCheck } from './password-strength.ts';

export interface AccountsOptions {
  readonly store: AccountStore;
  readonly people: People;
  /** Refreshes everything that was read from the store into memory. */
  readonly reload: () => Promise<void>;
  readonly passwords: PasswordHashes;
  readonly checkStrength: StrengthCheck;
  readonly audit: AuditLog;
  readonly clock: Clock;
  readonly newId: NewId;
}

const day = 24 * 60 * 60 * 1_000;
const invitationMs = 7 * day;
const maxPasskeys = 20;

export function createAccounts(options: AccountsOptions): AccountActions {
  const { store, people, passwords, audit, clock, reload } = options;

  function record(action: AuditAction, by: DoneBy, subject: string, detail?: Sentence): void {
    audit.record({ action, ...by, subject, detail });
  }

  function known(person: PersonName): Account {
    const account = people.account(person);
    if (!account) throw noAccount;
    return account;
  }

  async function change(person: PersonName, what: AccountChange): Promise<Account> {
    if (!(await store.change(person, what))) throw noAccount;
    await reload();
    return known(person);
  }

  async function invitations(): Promise<readonly Invitation[]> {
    return (await store.invitations(clock.now())).filter(counts);
  }

  /** An old link must not work if its creator may no longer invite people, or if its person was disabled. */
  function counts({ person, createdBy }: Invitation): boolean {
    const isAllowed = createdBy === undefined || people.may(createdBy, 'people');
    return isAllowed && people.account(person)?.disabledAt === undefined;
  }

  async function findInvitation(secret: string): Promise<Invitation> {
    const sha256 = hashOf(secret);
    const found = (await invitations()).find((invitation) => invitation.sha256 === sha256);
    if (!found) throw noInvitation;
    return found;
  }

  async function hashNew(person: PersonName, password: string): Promise<string> {
    await options.checkStrength(password, [person, people.displayNameOf(person)]);
    return passwords.hash(password);
  }

  async function fieldsOf(person: PersonName, credential: Credential) {
    switch (credential.kind) {
      case 'password':
        return { fields: { passwordHash: await hashNew(person, credential.password) } };
      case 'passkey':
        return { fields: {}, passkey: { ...credential.passkey, person } };
      case 'openid':
        return { fields: { openId: credential.openId } };
      default:
        return credential satisfies never;
    }
  }

  async function create(
    wanted: Pick<Account, 'person' | 'role' | 'assistants'>,
    credential: Credential,
    by: DoneBy,
    invitation?: string,
  ): Promise<Account> {
    const { person, role, assistants } = wanted;
    const { fields, passkey } = await fieldsOf(person, credential);
    const account = { person, role, assistants, ...fields, createdAt: clock.now() };
    await store.create(account, {
      ...(passkey && { passkey }),
      ...(invitation !== undefined && { invitation }),
    });
    await reload();
    record('account.created', by, person, say`${roleNames[role]}; ${waysIn[credential.kind]}`);
    return known(person);
  }

  /** Ends everything that they, or somebody who stole their credentials, could log in with before. */
  async function recover({ person, id }: Invitation, credential: Credential, by: DoneBy): Promise<Account> {
    const { fields, passkey } = await fieldsOf(person, credential);
    const keys = await store.recover(
      person,
      { passwordHash: null, openId: null, ...fields },
      { invitation: id, ...(passkey && { passkey }) },
    );
    await reload();
    const keysRevoked = say`API keys revoked: ${keys}`;
    record('account.recovered', by, person, say`${waysIn[credential.kind]}; ${keysRevoked}`);
    return known(person);
  }

  /** Throws if this is the person's only credential. */
  async function requireAnotherWayIn(
    { person, passwordHash, openId }: Account,
    without: 'passkey' | 'openid',
  ): Promise<void> {
    const passkeys = (await store.passkeys(person)).length - (without === 'passkey' ? 1 : 0);
    const others = without === 'openid' ? undefined : openId;
    if (passkeys <= 0 && passwordHash === undefined && others === undefined) throw lastWayIn;
  }

  return {
    async invite({ person, role, assistants }, by) {
      const account = people.account(person);
      if (account?.disabledAt !== undefined) throw disabled;
      const secret = randomBytes(32).toString('base64url');
      const now = clock.now();
      const invitation: Invitation = {
        id: options.newId(),
        sha256: hashOf(secret),
        person,
        role: account?.role ?? role,
        assistants: account?.assistants ?? (role === 'guest' ? assistants : []),
        ...(by.person !== undefined && { createdBy: by.person }),
        createdAt: now,
        expiresAt: now + invitationMs,
      };
      await store.invite(invitation);
      record('invitation.created', by, person, account ? say`a new way in` : roleNames[invitation.role]);
      return { secret, invitation };
    },

    invitations,
    findInvitation,

    async accept(secret, credential, by) {
      const invitation = await findInvitation(secret);
      const asThem = { ...by, person: invitation.person };
      const account = people.hasAccount(invitation.person)
        ? await recover(invitation, credential, asThem)
        : await create(invitation, credential, asThem, invitation.id);
      record('invitation.accepted', asThem, invitation.person);
      return account;
    },

    async withdraw(id, by) {
      const invitation = (await invitations()).find((candidate) => candidate.id === id);
      if (!invitation || !(await store.removeInvitation(id))) return false;
      record('invitation.revoked', by, invitation.person);
      return true;
    },

    async protect(person, credential, by) {
      if (!people.has(person)) throw noAccount;
      return create({ person, role: people.roleOf(person), assistants: [] }, credential, by);
    },

    async checkPassword(person, password) {
      const account = people.account(person);
      const matches = await passwords.matches(account?.passwordHash ?? someHash, password);
      return matches && people.has(person) && account?.passwordHash !== undefined ? account : undefined;
    },

    async changePassword(person, password, by) {
      known(person);
      const account = await change(person, { passwordHash: await hashNew(person, password) });
      record('password.changed', by, person);
      return account;
    },

    async rename(person, displayName, by) {
      await change(person, { displayName });
      record('account.changed', by, person, displayName === null ? undefined : say`${displayName}`);
    },

    passkeys: (person) => store.passkeys(person),

    async addPasskey(passkey: Passkey, by) {
      known(passkey.person);
      if ((await store.passkeys(passkey.person)).length >= maxPasskeys) throw tooManyPasskeys;
      await store.addPasskey(passkey);
      record('passkey.added', by, passkey.person, say`${passkey.name}`);
    },

    renamePasskey: (person, id, name) => store.renamePasskey(person, id, name),

    async removePasskey(person, id, by) {
      const account = known(person);
      const passkey = (await store.passkeys(person)).find((candidate) => candidate.id === id);
      if (!passkey) return false;
      await requireAnotherWayIn(account, 'passkey');
      const isRemoved = await store.removePasskey(person, id);
      if (isRemoved) record('passkey.removed', by, person, say`${passkey.name}`);
      return isRemoved;
    },

    async linkOpenId(person, openId, by) {
      await change(person, { openId });
      record('openid.linked', by, person, say`${openId.issuer}`);
    },

    async unlinkOpenId(person, by) {
      const account = known(person);
      if (account.openId === undefined) return;
      await requireAnotherWayIn(account, 'openid');
      await change(person, { openId: null });
      record('openid.unlinked', by, person, say`${account.openId.issuer}`);
    },

    async changeRole(person, role, assistants, by) {
      const before = known(person).role;
      await change(person, { role, assistants: role === 'guest' ? assistants : [] });
      record('role.changed', by, person, say`${roleNames[before]} → ${roleNames[role]}`);
    },

    async setDisabled(person, isDisabled, by) {
      if ((known(person).disabledAt !== undefined) === isDisabled) return;
      await change(person, { disabledAt: isDisabled ? clock.now() : null });
      record(isDisabled ? 'account.disabled' : 'account.enabled', by, person);
    },

    async remove(person, by) {
      if (!(await store.remove(person))) throw noAccount;
      await reload();
      record('account.removed', by, person);
    },
  };
}

/** For the audit log. */
const roleNames = { owner: say`owner`, member: say`member`, guest: say`guest` } as const;
const waysIn = { password: say`password`, passkey: say`passkey`, openid: say`OpenID Connect` } as const;

const noAccount = new ParleyError('not_found', 'This person has no account.');
const disabled = new ParleyError('conflict', 'This account is disabled. Enable it first.');
const noInvitation = new ParleyError(
  'not_found',
  'This invitation was already used, was revoked or has expired. Ask for a new one.',
);
const lastWayIn = new ParleyError(
  'conflict',
  'You would have no way to log in. Set a password or add a passkey first.',
);
const tooManyPasskeys = new ParleyError('conflict', `You have ${maxPasskeys} passkeys. Remove one first.`);

/** The hash of a random password that nobody knows. Checking it takes as long as checking a real one. */
const someHash =
  '$argon2id$v=19$m=19456,t=2,p=1$WZXA7leLFaDd3KFJD1iy0w$FQ6kl4BGQpFLJXQ/rk7yUU9Z+s3MsB8OsYrI0DGiedY';

// A plain hash is enough: unlike passwords, secrets are long and random.
function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
