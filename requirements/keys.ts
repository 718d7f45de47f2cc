// API keys made at run time, the audit log, and sessions that people share.
import { promisesOf } from './requirement.ts';

export const keys = promisesOf(6, {
  'team.key.shown-once': 'The secret of an API key is shown once and stored only as a hash.',
  'team.key.one-person': 'An API key that was made at run time acts for one person only.',
  'team.key.last-used': 'The list of keys says roughly when each was last used.',
  'team.key.revoke-ends-streams': 'Revoking a key ends its streams at once.',
  'team.key.outside-changes':
    'A key that was revoked on the command line stops working in a running server, and its streams end.',
  'team.key.expiry': 'An expired key counts as revoked, and its streams end.',
  'team.key.read-only': 'A read-only key can read and follow, and is refused every change.',
  'team.key.assistants': 'A key with chosen assistants creates, lists, finds and reads only their sessions.',
  'team.key.own': 'Everybody manages their own keys; managing those of others needs the right to it.',
  'team.key.no-escalation': 'An API key cannot make or revoke API keys.',
  'team.key.not-for-others':
    'Nobody can make a key for another person with an account, and one made before ends.',
  'team.key.page':
    'In the app, people make keys, see what each may do and when it was used, and revoke them; the secret comes with a command to try.',
  'team.audit.keys': 'The audit log has every key that was made or revoked, without secrets.',
  'team.audit.search': 'The audit log is searched by text, person, action and time, in pages.',
  'team.audit.export': 'The audit log is exported as one JSON entry per line.',
  'team.audit.page':
    'In the app, the audit log is filtered by person, action and text, shown in pages, and exported.',
  'team.audit.right': 'Only people with the right to it see the audit log.',
  'team.audit.shares': 'The audit log has every session that was shared or is no longer shared.',
  'team.share.read':
    'A session that is shared for reading can be listed, found, read and followed, and nothing more.',
  'team.share.participate':
    'Those who take part in a shared session can prompt and stop it, but not change or delete it.',
  'team.share.author':
    'Everybody in a shared session sees who wrote a prompt, while it waits, live, later and in versions of the session. Only its owner adds to a running turn.',
  'team.share.branches':
    'Only the owner branches a shared session. The branch is theirs alone, and others keep the session they had.',
  'team.share.export':
    'Those who can read a shared session can export it, and the export says who wrote each prompt.',
  'team.share.page':
    'In the app, owners share a session for reading or for taking part, and stop sharing it; others see whose it is and follow it live.',
  'team.share.invisible': 'To everybody else a shared session looks like an unknown one.',
  'team.share.ends-streams': 'When a session is no longer shared with somebody, their streams end at once.',
});
