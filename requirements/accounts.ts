// From a household to a team: accounts, roles, logins.
import { promisesOf } from './requirement.ts';

export const accounts = promisesOf(6, {
  // Roles
  'team.role.household': 'Until an owner has an account, everybody in the household may do everything.',
  'team.role.table': 'One table says what owners, members and guests may do.',
  'team.role.guest': 'A guest reaches no part of Claude Code.',
  'team.role.guest-assistants': 'A guest can talk only to the assistants of their account.',
  'team.role.guest-alone': 'A guest can’t find out who else is here.',
  'team.rights.live': 'An open page learns of a new role, right or share without a reload.',
  'team.role.last-owner': 'The last owner cannot be demoted, disabled or removed.',

  // Accounts
  'team.account.own-credentials':
    'Neither the family password nor a key for everybody can act for a person with an account: they get the same response as for an unknown person.',
  'team.account.disabled': 'Nobody can act for a person whose account is disabled.',
  'team.account.ends-streams':
    'When a person gets or loses an account, or it is disabled, streams whose credentials are no longer valid end at once.',
  'team.account.ends-turns':
    'When an account is disabled, its running turns stop and its waiting prompts are withdrawn.',
  'team.account.outside-changes':
    'A running server notices account changes from the command line within about a second.',
  'team.cli.people': '`parley people` lists, invites, changes roles and removes accounts.',
  'team.cli.keys':
    '`parley keys` lists, creates and revokes API keys, and `parley audit` lists and exports the audit log, while the server runs.',
  'team.account.survives-restart': 'Accounts survive a restart, even if sessions are kept in memory only.',
  'team.account.protect': 'Somebody without an account can make their own, with the role they have.',

  // Invitations
  'team.invitation.accept': 'An invitation leads to an account with its own password and role.',
  'team.invitation.page': 'The page of an invitation lets people choose a password or a passkey.',
  'team.invitation.once': 'An invitation works once, for seven days, until it is revoked.',
  'team.invitation.recover':
    'An invitation for somebody with an account replaces their credentials; all their logins and API keys end, and so do the keys and invitations they made.',
  'team.invitation.inviter':
    'An invitation ends when the person who made it may no longer invite, and when the account it is for is disabled or removed.',
  'team.role.people': 'Only owners invite people, change roles, and disable or remove accounts.',
  'team.role.change': 'An owner changes the role of an account, disables and enables it, and removes it.',

  // Logging in
  'team.login.own-password': 'For a person with an account, only their own password works.',
  'team.login.guesses':
    'After wrong guesses for one account, further attempts have to wait, whatever addresses they come from.',
  'team.password.strength':
    'A password that is easy to guess is refused, with a sentence that says what would make it better.',
  'team.password.change': 'Changing a password needs the current one and ends the other logins that used it.',
  'team.passkey.login':
    'A passkey logs in without a name, at the host it was made for; one whose counter goes backward is refused.',
  'team.passkey.manage': 'People add, rename and remove their passkeys, unless it is their last credential.',
  'team.openid.login':
    'With an identity provider configured, people link their accounts to it and log in there; Parley can be a public client or have a secret.',
  'team.openid.invitation': 'An invitation can be accepted with the identity provider.',
  'team.openid.bound':
    'An answer from the identity provider works once, and only in the browser that asked for it.',
  'team.device.end': 'Ending a device ends everything it has open at once.',
  'team.device.own':
    'People see and end only their own devices; everybody who uses the family password shares its devices.',

  // Who reaches what
  'team.access.every-route':
    'One table says who may use each route, and a route that is missing from it fails the tests.',
  'team.access.refused':
    'Requests without valid credentials get nothing, and neither does a disabled account.',
  'team.access.sessions':
    'Nobody reaches another person’s session through any door; its id gets the same answer as an unknown one.',
  'team.access.things':
    'Nobody reaches the keys, devices or passkeys of others, except that owners can revoke keys.',
  'team.access.rights': 'What needs a right is refused to everybody else.',
  'team.access.lists': 'No list and no search shows anything that belongs to others.',
  'team.access.events': 'Nobody gets events or notifications of other people’s sessions.',
  'team.access.naming': 'Naming a person with an account is not enough to act for them.',
  'team.access.shared': 'People with whom a session is shared can do what was shared, and nothing else.',
  'team.access.scoped-key': 'A key for some assistants reaches no session of other assistants.',
  'team.access.read-only-key': 'A key for reading changes nothing, over HTTP and over WebSockets.',
  'team.access.keys-grant-nothing':
    'A key made at run time changes neither who gets in nor what runs on the server.',

  'team.access.bots':
    'A bot has exactly the rights of its person: a guest’s bot talks only to the guest’s assistants, the bot of a disabled person refuses, and no bot acts for a default person who has an account.',
  'team.access.bypass':
    'People who may not turn off permission questions are asked, whatever the default, a bot or their own settings say.',

  // In the app
  'team.app.account':
    'In the settings, people change their name, password and passkeys, log devices out, and choose language and appearance.',
  'team.app.openid':
    'In the settings, people link their account to the identity provider, log in with it, and unlink it.',
  'team.app.invite':
    'In the settings, an owner invites somebody and gets the link to send, makes a new link, and revokes an invitation.',
  'team.app.people': 'In the settings, an owner changes roles, and disables, enables and removes accounts.',
  'team.app.language':
    'The app shows the server’s sentences, such as errors and warnings, in its own language, with amounts and days in the format of that language.',
  'team.app.protect':
    'In the settings, somebody who uses the family password protects their account and stays logged in.',

  // The audit log
  'team.audit.logins': 'The audit log has every login, every failed login and every logout.',
  'team.audit.bounded': 'The audit log keeps the newest entries and removes the oldest.',
});
