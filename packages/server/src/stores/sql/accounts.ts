// Accounts, their passkeys, and the invitations that lead to them.
import { ParleyError, type PersonName } from '@parley/protocol';
import type { Account, AccountChange, AccountStore, Invitation } from '../../domain/accounts.ts';
import { isActiveOwner } from '../../domain/people.ts';
import type { Dialect } from './dialect.ts';
import { decodeList, decodeText, encode } from './json-column.ts';
import { insertPasskey, passkeyStore } from './passkeys.ts';
import { type AccountRow, type InvitationRow, query } from './schema.ts';
import { all, type Database, first, run, type Work } from './work.ts';

export function createAccountStore(database: Database, { lock }: Dialect): AccountStore {
  const { durable } = database;
  return {
    list: () => database.read(allAccounts()),

    create: (account, { invitation, passkey }) =>
      durable(function* () {
        yield* lock('accounts');
        if (yield* findAccount(account.person)) throw hasAccount;
        if (invitation !== undefined && !(yield* removeInvitation(invitation))) throw usedUp;
        yield* run(query.insertInto('accounts').values(toRow(account)));
        yield* run(query.deleteFrom('invitations').where('person', '=', account.person));
        if (passkey) yield* insertPasskey(passkey);
      }),

    change: (person, change) =>
      durable(function* () {
        yield* lock('accounts');
        if (!(yield* findAccount(person))) return false;
        const row = changedColumns(change);
        if (Object.keys(row).length === 0) return true;
        yield* keepingAnOwner(() => changeAccount(person, row));
        if (typeof change.disabledAt === 'number') yield* removeLogins(person);
        return true;
      }),

    recover: (person, change, { invitation, passkey }) =>
      durable(function* () {
        yield* lock('accounts');
        if (!(yield* findAccount(person)) || !(yield* removeInvitation(invitation))) throw usedUp;
        yield* changeAccount(person, changedColumns(change));
        yield* run(query.deleteFrom('passkeys').where('person', '=', person));
        yield* run(query.deleteFrom('invitations').where('created_by', '=', person));
        yield* removeLogins(person);
        if (passkey) yield* insertPasskey(passkey);
        return yield* run(
          query
            .deleteFrom('api_keys')
            .where((key) => key.or([key('person', '=', person), key('created_by', '=', person)])),
        );
      }),

    remove: (person) =>
      durable(function* () {
        yield* lock('accounts');
        return yield* keepingAnOwner(() => removeAccount(person));
      }),

    ...passkeyStore(database),

    invite: (invitation) =>
      durable(function* () {
        yield* run(query.deleteFrom('invitations').where('person', '=', invitation.person));
        yield* run(query.insertInto('invitations').values(toInvitationRow(invitation)));
      }),

    async invitations(now) {
      const open = query.selectFrom('invitations').selectAll().where('expires_at', '>', now);
      return (await database.read(all(open.orderBy('created_at')))).map(toInvitation);
    },

    removeInvitation: (id) => durable(() => removeInvitation(id)),
  };
}

const hasAccount = new ParleyError('conflict', 'This person already has an account.');
const usedUp = new ParleyError('not_found', 'This invitation was already used, or it was revoked.');
const lastOwner = new ParleyError(
  'conflict',
  'This is the last owner. Make someone else an owner first, so that someone can still manage Parley.',
);

function* allAccounts(): Work<readonly Account[]> {
  const accounts = query.selectFrom('accounts').selectAll().orderBy('created_at').orderBy('person');
  return (yield* all(accounts)).map(toAccount);
}

function findAccount(person: PersonName): Work<AccountRow | undefined> {
  return first(query.selectFrom('accounts').selectAll().where('person', '=', person));
}

function* changeAccount(person: PersonName, row: Partial<AccountRow>): Work<void> {
  yield* run(query.updateTable('accounts').set(row).where('person', '=', person));
}

function* removeAccount(person: PersonName): Work<boolean> {
  if ((yield* run(query.deleteFrom('accounts').where('person', '=', person))) === 0) return false;
  yield* run(query.deleteFrom('api_keys').where('person', '=', person));
  yield* run(query.deleteFrom('invitations').where('person', '=', person));
  yield* removeLogins(person);
  return true;
}

function* removeLogins(person: PersonName): Work<void> {
  yield* run(query.deleteFrom('logins').where('person', '=', person).where('kind', '<>', 'family'));
}

/** If it throws, the caller's transaction undoes the work. */
function* keepingAnOwner<T>(work: () => Work<T>): Work<T> {
  const hadOwner = (yield* allAccounts()).some(isActiveOwner);
  const result = yield* work();
  if (hadOwner && !(yield* allAccounts()).some(isActiveOwner)) throw lastOwner;
  return result;
}

function* removeInvitation(id: string): Work<boolean> {
  return (yield* run(query.deleteFrom('invitations').where('id', '=', id))) > 0;
}

function toRow(account: Account): AccountRow {
  return {
    person: account.person,
    role: account.role,
    display_name: account.displayName === undefined ? null : encode(account.displayName),
    password_hash: account.passwordHash ?? null,
    ...openIdColumns(account.openId),
    assistants: encode(account.assistants),
    created_at: account.createdAt,
    disabled_at: account.disabledAt ?? null,
  };
}

function openIdColumns(openId: Account['openId'] | null) {
  return {
    openid_issuer: openId ? encode(openId.issuer) : null,
    openid_subject: openId ? encode(openId.subject) : null,
  };
}

function changedColumns(change: AccountChange): Partial<AccountRow> {
  const { role, assistants, displayName, passwordHash, openId, disabledAt } = change;
  return {
    ...(role !== undefined && { role }),
    ...(assistants !== undefined && { assistants: encode(assistants) }),
    ...(displayName !== undefined && { display_name: displayName === null ? null : encode(displayName) }),
    ...(passwordHash !== undefined && { password_hash: passwordHash }),
    ...(openId !== undefined && openIdColumns(openId)),
    ...(disabledAt !== undefined && { disabled_at: disabledAt }),
  };
}

function toAccount(row: AccountRow): Account {
  const { person, display_name, password_hash, openid_issuer, openid_subject, disabled_at } = row;
  const at = (column: string) => ({ table: 'accounts', id: person, column });
  return {
    person,
    role: row.role,
    ...(display_name !== null && { displayName: decodeText(display_name, at('display_name')) }),
    ...(password_hash !== null && { passwordHash: password_hash }),
    ...(openid_issuer !== null &&
      openid_subject !== null && {
        openId: {
          issuer: decodeText(openid_issuer, at('openid_issuer')),
          subject: decodeText(openid_subject, at('openid_subject')),
        },
      }),
    assistants: decodeList(row.assistants, at('assistants')),
    createdAt: row.created_at,
    ...(disabled_at !== null && { disabledAt: disabled_at }),
  };
}

function toInvitationRow(invitation: Invitation): InvitationRow {
  const { id, sha256, person, role, assistants, createdBy, createdAt, expiresAt } = invitation;
  return {
    id,
    sha256,
    person,
    role,
    assistants: encode(assistants),
    created_by: createdBy ?? null,
    created_at: createdAt,
    expires_at: expiresAt,
  };
}

function toInvitation(row: InvitationRow): Invitation {
  const { id, sha256, person, role, assistants, created_by, created_at, expires_at } = row;
  return {
    id,
    sha256,
    person,
    role,
    assistants: decodeList(assistants, { table: 'invitations', id, column: 'assistants' }),
    ...(created_by !== null && { createdBy: created_by }),
    createdAt: created_at,
    expiresAt: expires_at,
  };
}
