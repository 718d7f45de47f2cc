// Accounts, their passkeys, and the invitations that lead to them.
import { ParleyError, type PersonName } from '@parley/protocol';
import type { Account, AccountChange, AccountStore, Invitation } from '../../domain/accounts.ts';
import { isActiveOwner } from '../../domain/people.ts';
import type { Connection, Writes } from './connection.ts';
import { decodeList, decodeText, encode } from './json-column.ts';
import { insertPasskey, passkeyStore } from './passkeys.ts';
import { type AccountRow, type InvitationRow, query } from './schema.ts';

export function createAccountStore(connection: Connection, writes: Writes): AccountStore {
  const { durable } = writes;
  return {
    list: async () => allAccounts(connection),

    create: (account, { invitation, passkey }) =>
      durable(() => {
        if (findAccount(connection, account.person)) throw hasAccount;
        if (invitation !== undefined && !removeInvitation(connection, invitation)) throw usedUp;
        connection.change(query.insertInto('accounts').values(toRow(account)));
        connection.change(query.deleteFrom('invitations').where('person', '=', account.person));
        if (passkey) insertPasskey(connection, passkey);
      }),

    change: (person, change) =>
      durable(() => {
        if (!findAccount(connection, person)) return false;
        const row = changedColumns(change);
        if (Object.keys(row).length === 0) return true;
        keepingAnOwner(connection, () => changeAccount(connection, person, row));
        if (typeof change.disabledAt === 'number') removeLogins(connection, person);
        return true;
      }),

    recover: (person, change, { invitation, passkey }) =>
      durable(() => {
        if (!findAccount(connection, person) || !removeInvitation(connection, invitation)) throw usedUp;
        changeAccount(connection, person, changedColumns(change));
        connection.change(query.deleteFrom('passkeys').where('person', '=', person));
        removeLogins(connection, person);
        if (passkey) insertPasskey(connection, passkey);
      }),

    remove: (person) =>
      durable(() =>
        keepingAnOwner(connection, () => {
          if (connection.change(query.deleteFrom('accounts').where('person', '=', person)) === 0)
            return false;
          connection.change(query.deleteFrom('api_keys').where('person', '=', person));
          connection.change(query.deleteFrom('invitations').where('person', '=', person));
          removeLogins(connection, person);
          return true;
        }),
      ),

    ...passkeyStore(connection, writes),

    invite: (invitation) =>
      durable(() => {
        connection.change(query.deleteFrom('invitations').where('person', '=', invitation.person));
        connection.change(query.insertInto('invitations').values(toInvitationRow(invitation)));
      }),

    async invitations(now) {
      const open = query.selectFrom('invitations').selectAll().where('expires_at', '>', now);
      return connection.rows(open.orderBy('created_at')).map(toInvitation);
    },

    removeInvitation: (id) => durable(() => removeInvitation(connection, id)),
  };
}

const hasAccount = new ParleyError('conflict', 'This person already has an account.');
const usedUp = new ParleyError('not_found', 'This invitation was already used, or it was withdrawn.');
const lastOwner = new ParleyError(
  'conflict',
  'This is the last owner. Make somebody else an owner first, so that somebody can manage Parley.',
);

function allAccounts(connection: Connection): readonly Account[] {
  const all = query.selectFrom('accounts').selectAll().orderBy('created_at').orderBy('person');
  return connection.rows(all).map(toAccount);
}

function findAccount(connection: Connection, person: PersonName): AccountRow | undefined {
  return connection.row(query.selectFrom('accounts').selectAll().where('person', '=', person));
}

function changeAccount(connection: Connection, person: PersonName, row: Partial<AccountRow>): void {
  connection.change(query.updateTable('accounts').set(row).where('person', '=', person));
}

function removeLogins(connection: Connection, person: PersonName): void {
  connection.change(query.deleteFrom('logins').where('person', '=', person).where('kind', '<>', 'family'));
}

/** Undone by the caller's transaction if it throws. */
function keepingAnOwner<T>(connection: Connection, work: () => T): T {
  const hasOwner = () => allAccounts(connection).some(isActiveOwner);
  const hadOwner = hasOwner();
  const result = work();
  if (hadOwner && !hasOwner()) throw lastOwner;
  return result;
}

function removeInvitation(connection: Connection, id: string): boolean {
  return connection.change(query.deleteFrom('invitations').where('id', '=', id)) > 0;
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
