// From a household to a team: accounts, roles, logins.
import { promisesOf } from './requirement.ts';

export const accounts = promisesOf(6, {
  // Roles
  'team.role.household': 'As long as no owner has an account, everybody in the household may do everything.',
  'team.role.table': 'One table says what owners, members and guests may do.',
  'team.role.guest': 'A guest reaches no part of Claude Code.',
  'team.role.guest-assistants': 'A guest talks to the assistants of their account and to no other.',
  'team.role.guest-alone': 'A guest can’t find out who else is here.',
  'team.rights.live': 'A page that is open learns of a new role, right or share without a reload.',
  'team.role.last-owner': 'The last owner can be neither demoted, disabled nor removed.',

  // Accounts
  'team.account.own-credentials':
    'Neither the family password nor a key for everybody can act for a person with an account: they get the response for an unknown person.',
  'team.account.disabled': 'Nobody can act for a person whose account is disabled.',
  'team.account.ends-streams':
    'When a person gets an account, loses it or it is disabled, streams of credentials that no longer count end at once.',
  'team.account.ends-turns':
    'When an account is disabled, its running turns stop and its waiting prompts are withdrawn.',
  'team.account.outside-changes':
    'A running server notices within about a second what the command line has changed about accounts.',
  'team.cli.people': '`parley people` lists, invites, changes roles and removes accounts.',
  'team.cli.keys':
    '`parley keys` lists, creates and revokes API keys, and `parley audit` lists and exports the audit log, while the server runs.',
  'team.account.survives-restart': 'Accounts survive a restart, even if sessions are kept in memory only.',
  'team.account.protect': 'Somebody without an account makes their own, with the role they have.',

  // Invitations
  'team.invitation.accept': 'An invitation leads to an account with its own password and role.',
  'team.invitation.page': 'The page of an invitation lets people choose a password or a passkey.',
  'team.invitation.once': 'An invitation works once, for seven days, until it is withdrawn.',
  'team.invitation.recover':
    'An invitation for somebody with an account replaces their credentials; everything they logged in with before ends, and so do their API keys and the keys and invitations they made.',
  'team.invitation.inviter':
    'An invitation ends when whoever made it may no longer invite, and when the account it is for is disabled or removed.',
  'team.role.people': 'Only owners invite people, change roles, and disable or remove accounts.',
  'team.role.change': 'An owner changes the role of an account, disables and enables it, and removes it.',

  // Logging in
  'team.login.own-password': 'For a person with an account, only their own password works.',
  'team.login.guesses': 'Wrong guesses for one account have to wait, from whichever addresses they come.',
  'team.password.strength':
    'A password that is easy to guess is refused, with a sentence that says what would make it better.',
  'team.password.change': 'Changing a password needs the current one and ends the other logins that used it.',
  'team.passkey.login':
    'A passkey logs in without a name, at the host it was made for; one whose counter goes back is refused.',
  'team.passkey.manage': 'People add, rename and remove their passkeys, unless it is their last credential.',
  'team.openid.login':
    'With an identity provider configured, people link their accounts with it and log in there, as a public client or with a secret.',
  'team.openid.invitation': 'An invitation can be accepted with the identity provider.',
  'team.openid.bound':
    'An answer of the identity provider works once, and only in the browser that asked for it.',
  'team.device.end': 'Ending a device ends everything it has open at once.',
  'team.device.own': 'People see and end only their own devices; the family shares those of its password.',

  // Who reaches what
  'team.access.every-route':
    'One table says for every route whom it is for. A route that is not in it fails the tests.',
  'team.access.refused': 'Nobody without credentials that count gets anything, nor does a disabled account.',
  'team.access.sessions':
    'Nobody reaches a session of somebody else through any door; its id is answered like an unknown one.',
  'team.access.things': 'Nobody reaches keys, devices or passkeys of others; owners can revoke keys.',
  'team.access.rights': 'What needs a right is refused to everybody else.',
  'team.access.lists': 'No list and no search shows anything that belongs to others.',
  'team.access.events': 'Nobody gets events or notifications of sessions of others.',
  'team.access.naming': 'Nobody acts for somebody with an account by naming them.',
  'team.access.shared': 'Whom a session is shared with can do what was shared, and nothing else.',
  'team.access.scoped-key': 'A key for some assistants reaches no session of others.',
  'team.access.read-only-key': 'A key for reading changes nothing, over HTTP and over WebSockets.',
  'team.access.keys-grant-nothing':
    'A key made at run time changes neither who gets in nor what runs on the server.',

  'team.access.bots':
    'A bot has the rights of its person and no others: a guest’s talks to the guest’s assistants, one of somebody disabled refuses, and a default person with an account is not acted for.',
  'team.access.bypass':
    'Whoever may not turn off permission questions is asked, whatever the default, a bot or the person’s own settings say.',

  // In the app
  'team.app.account':
    'In the settings, people change their name, password and passkeys, log devices out, and choose language and appearance.',
  'team.app.openid':
    'In the settings, people link their account with the identity provider, log in with it, and unlink it.',
  'team.app.invite':
    'In the settings, an owner invites somebody and gets the link to send, makes a new link, and revokes an invitation.',
  'team.app.people': 'In the settings, an owner changes roles, and disables, enables and removes accounts.',
  'team.app.language':
    'The app says sentences of the server, such as errors and warnings, in its own language, with amounts and days as the language writes them.',
  'team.app.protect':
    'In the settings, somebody who uses the family password protects their account and stays logged in.',

  // The audit log
  'team.audit.logins': 'The audit log has every login, every failed login and every logout.',
  'team.audit.bounded': 'The audit log keeps the newest entries and removes the oldest.',
});
