// Every route and whom it is for. The matrix fails for a route that is missing here.
import type { Right, SessionLevel } from '@parley/protocol';

/** What a route gives access to, and so who must not get anything from it. */
export type Rule = Sample &
  (
    | { readonly for: 'anybody' }
    /** Says the same to everybody with credentials. */
    | { readonly for: 'the house' }
    /** Only about the person who asks: whatever others own must not be in its answer. */
    | { readonly for: 'oneself' }
    /** Names one thing that belongs to one person. */
    | { readonly for: 'its person'; readonly what: 'key' | 'device' | 'passkey' }
    | { readonly for: 'those with the right'; readonly right: Right }
    /** Names a session, in its path or body. `engine` if it is only for sessions of one. */
    | { readonly for: 'a session'; readonly level: SessionLevel; readonly engine?: 'claude-code' }
    /** Continues the session that it names, or starts a new one if there is no such session. */
    | { readonly for: 'a session or a new one' }
    | { readonly for: 'a socket'; readonly level: SessionLevel }
  );

interface Sample {
  /** A body that would do something; `ID` is replaced by the id. */
  readonly body?: object;
  readonly query?: string;
  /** Owners see everybody's. */
  readonly owners?: true;
  /** Changes something although its method is GET. */
  readonly changes?: true;
}

const anybody: Rule = { for: 'anybody' };
const house: Rule = { for: 'the house' };
const oneself: Rule = { for: 'oneself' };
const right = (needed: Right, sample: Sample = {}): Rule => ({
  for: 'those with the right',
  right: needed,
  ...sample,
});
const session = (level: SessionLevel, sample: Sample = {}): Rule => ({ for: 'a session', level, ...sample });
const code = (level: SessionLevel, sample: Sample = {}): Rule => ({
  for: 'a session',
  engine: 'claude-code',
  level,
  ...sample,
});
const hello = { message: 'hello' };

export const rules: Readonly<Record<string, Rule>> = {
  'GET /healthz': anybody,
  'GET /readyz': anybody,
  'GET /login': anybody,
  'POST /login': anybody,
  'GET /login/script.js': anybody,
  'POST /login/passkey/options': anybody,
  'POST /login/passkey': anybody,
  'GET /login/openid': anybody,
  'GET /login/openid/callback': anybody,
  'GET /invite': anybody,
  'POST /api/invitations/find': anybody,
  'POST /api/invitations/accept': anybody,
  'POST /api/invitations/passkey': anybody,
  'POST /api/invitations/openid': anybody,
  'GET /api/linkedin/callback': anybody,

  'GET /': house,
  'GET /metrics': house,
  'GET /api/docs': house,
  'GET /api/docs/json': house,
  'GET /api/recipes': house,
  'GET /api/recipes/:id': house,
  'GET /api/assistants': house,
  'GET /api/mcp': house,
  'GET /api/channels': house,

  'POST /logout': oneself,
  'GET /api/me': oneself,
  'POST /api/me': oneself,
  'GET /api/account': oneself,
  'POST /api/account': oneself,
  'PATCH /api/account': oneself,
  'PUT /api/account/password': oneself,
  'GET /api/account/devices': oneself,
  'DELETE /api/account/devices': oneself,
  'DELETE /api/account/devices/:id': { for: 'its person', what: 'device' },
  'POST /api/account/passkeys/options': oneself,
  'POST /api/account/passkeys': oneself,
  'PATCH /api/account/passkeys/:id': { for: 'its person', what: 'passkey', body: { name: 'taken' } },
  'DELETE /api/account/passkeys/:id': { for: 'its person', what: 'passkey' },
  'POST /api/account/openid': oneself,
  'DELETE /api/account/openid': oneself,
  'GET /api/keys': { ...oneself, owners: true },
  'POST /api/keys': oneself,
  'DELETE /api/keys/:id': { for: 'its person', what: 'key' },
  'GET /api/usage': oneself,
  'GET /api/budgets': oneself,
  'GET /api/notifications': oneself,
  'GET /api/live': oneself,
  'GET /api/push': oneself,
  'PUT /api/push/settings': { ...oneself, body: { kinds: [], quiet: null } },
  'PUT /api/push/muted/:id': oneself,
  'DELETE /api/push/muted/:id': oneself,
  'PUT /api/push/device': oneself,
  'DELETE /api/push/device': oneself,
  // The token decides.
  'POST /api/push/decisions': anybody,
  'GET /api/linkedin': oneself,
  'DELETE /api/linkedin': oneself,
  'GET /api/linkedin/connect': { ...oneself, changes: true },
  'GET /api/linkedin/finish': { ...oneself, changes: true },

  'GET /api/notes/files': oneself,
  'GET /api/notes/files/content': oneself,
  'PUT /api/notes/files/content': { ...oneself, body: { path: 'note.md', text: 'mine', version: null } },
  'GET /api/notes/files/raw': oneself,
  'PUT /api/notes/files/raw': { ...oneself, query: 'path=note.bin' },
  'GET /api/notes/files/search': oneself,

  // Names and roles, but nothing that anybody owns.
  'GET /api/people': oneself,
  'PATCH /api/people/:person': right('people', { body: { role: 'owner' } }),
  'DELETE /api/people/:person': right('people'),
  'GET /api/invitations': right('people'),
  'POST /api/invitations': right('people', { body: { name: 'mallory', role: 'owner' } }),
  'DELETE /api/invitations/:id': right('people'),
  'GET /api/audit': right('audit'),
  'GET /api/audit/export': right('audit'),
  'PUT /api/budgets': right('budgets', {
    body: { scope: 'person', period: 'day', unit: 'usd', limit: 1e6 },
  }),
  'DELETE /api/budgets/:id': right('budgets'),
  'GET /api/settings': right('settings'),
  'PATCH /api/settings': right('settings', {
    body: { changes: [{ key: 'model', value: null, revision: 0 }] },
  }),
  'POST /api/settings/mcp/test': right('settings', { body: { name: 'x', value: {} } }),
  'POST /api/settings/bots/test': right('settings', { body: { name: 'x', value: {} } }),
  'POST /api/settings/leave-demo': right('settings', { body: { apiKey: 'x' } }),
  'GET /api/settings/about': right('settings'),
  'GET /api/support': right('settings'),
  'GET /api/log-level': right('settings'),
  'PUT /api/log-level': right('settings', { body: { level: 'debug' } }),

  'GET /api/sessions': oneself,
  'POST /api/sessions': oneself,
  'GET /api/sessions/:id': session('read'),
  'PATCH /api/sessions/:id': session('own', { body: { title: 'taken' } }),
  'DELETE /api/sessions/:id': session('own'),
  'GET /api/sessions/:id/state': session('read'),
  'POST /api/sessions/:id/wake': session('participate'),
  'GET /api/sessions/:id/past': session('read'),
  'GET /api/marks': oneself,
  'PATCH /api/marks': session('read', { body: { ids: ['ID'], pinned: true } }),
  'POST /api/sessions/remove': session('own', { body: { ids: ['ID'] } }),
  'POST /api/sessions/restore': oneself,
  'GET /api/sessions/:id/find': session('read', { query: 'q=hello' }),
  'GET /api/sessions/:id/versions': session('read'),
  'GET /api/sessions/:id/export': session('read'),
  'GET /api/sessions/:id/context': session('read'),
  'GET /api/sessions/:id/turns/:turnId/images/:index': session('read'),
  'GET /api/sessions/:id/turns/:turnId/files/:index': session('read'),
  'GET /api/sessions/:id/queue': session('read'),
  'PUT /api/sessions/:id/queue': session('participate', { body: { order: [] } }),
  'DELETE /api/sessions/:id/queue/:turnId': session('participate'),
  'POST /api/sessions/:id/interrupt': session('participate'),
  'POST /api/sessions/:id/permissions/:permissionId': session('participate', {
    body: { behavior: 'allow' },
  }),
  'POST /api/sessions/:id/prompts': session('participate', { body: hello }),
  'POST /api/sessions/:id/branches': session('own', { body: { ...hello, before: 'TURN' } }),
  'POST /api/sessions/:id/forks': session('own', { body: {} }),
  'GET /api/sessions/:id/events': session('read'),
  'GET /api/sessions/:id/shares': session('own'),
  'PUT /api/sessions/:id/shares': session('own', { body: { with: 'mia', level: 'participate' } }),
  'DELETE /api/sessions/:id/shares/:with': session('own'),
  'GET /api/sessions/:id/links': session('own'),
  'POST /api/sessions/:id/links': session('own', { body: {} }),
  'DELETE /api/sessions/:id/links/:link': session('own'),
  // Anybody who has the link.
  'GET /shared/:secret': anybody,
  'GET /api/chat/:conversation_id/events': session('read'),
  'POST /api/chat/:conversation_id/stop': session('participate'),
  'GET /api/claude/history': session('read', { query: 'session_id=ID' }),
  'POST /api/claude/clear': session('own', { body: { session_id: 'ID' } }),
  'POST /api/chat': { for: 'a session or a new one', body: { ...hello, conversation_id: 'ID' } },
  'POST /api/claude/chat': { for: 'a session or a new one', body: { ...hello, session_id: 'ID' } },
  'POST /api/claude/chat-stream': { for: 'a session or a new one', body: { ...hello, session_id: 'ID' } },

  'GET /api/claude/sessions': oneself,
  'POST /api/claude/sessions': code('own', { body: { workingDir: 'FOLDER', resumeId: 'ID' } }),
  'POST /api/claude/sessions/prepare': oneself,
  'GET /api/claude/sessions/:id': code('read'),
  'PATCH /api/claude/sessions/:id': code('own', { body: { title: 'taken' } }),
  'DELETE /api/claude/sessions/:id': code('own'),
  'POST /api/claude/sessions/:id/fork': code('own'),
  'POST /api/claude/sessions/:id/rewind': code('own', { body: { before: 'TURN' } }),
  'GET /api/claude/sessions/:id/messages': code('read'),
  'GET /api/claude/sessions/:id/ws': { for: 'a socket', level: 'read' },
  'GET /api/claude/sessions/:id/terminal': { for: 'a socket', level: 'own', changes: true },
  'DELETE /api/claude/sessions/:id/terminal': code('own'),
  'GET /api/claude/sessions/:id/files': code('read'),
  'GET /api/claude/sessions/:id/files/content': code('read', { query: 'path=bed.txt' }),
  'PUT /api/claude/sessions/:id/files/content': code('participate', {
    body: { path: 'taken.txt', text: 'taken', version: null },
  }),
  'GET /api/claude/sessions/:id/files/raw': code('read', { query: 'path=bed.txt' }),
  'PUT /api/claude/sessions/:id/files/raw': code('participate', { query: 'path=taken.bin' }),
  'GET /api/claude/sessions/:id/files/search': code('read', { query: 'q=bed' }),
  'GET /api/claude/sessions/:id/changes': code('read'),
  'GET /api/claude/sessions/:id/changes/file': code('read', {
    query: `path=bed.txt&base=${'0'.repeat(40)}&now=${'0'.repeat(40)}`,
  }),
  'PUT /api/claude/sessions/:id/changes/staged': code('participate', {
    body: { paths: ['bed.txt'], staged: true },
  }),
  'POST /api/claude/sessions/:id/changes/commits': code('participate', { body: { message: 'taken' } }),
  'POST /api/claude/sessions/:id/changes/discard': code('participate', { body: { paths: ['bed.txt'] } }),
  'GET /api/claude/sessions/:id/changes/branches': code('read'),
  'PUT /api/claude/sessions/:id/changes/branch': code('participate', { body: { name: 'taken' } }),
  'POST /api/claude/sessions/:id/changes/remote/:how': code('participate', { body: {} }),
  'POST /api/claude/sessions/:id/changes/worktrees': code('own', { body: { name: 'taken' } }),
  'POST /api/claude/sessions/:id/changes/worktree': code('own', { body: { how: 'remove' } }),
  'GET /api/work-folders': oneself,
  'GET /api/work-folders/trust': oneself,
  'GET /api/work-folders/trusted': oneself,
  'PUT /api/work-folders/trust': oneself,
  'DELETE /api/work-folders/trust': oneself,
};
