// Which routes are open to guests and API keys that may only use some assistants. All others are closed to them, so a
// new route can't be opened by accident.
import { ParleyError, type PersonName } from '@parley/protocol';
import { type Access, type Actor, claudeCode } from '../../../domain/access.ts';
import type { Caller } from './credentials.ts';
import { safeMethods } from './origin.ts';

/**
 * `everybody`: the route shows nothing private. `sessions`: the gateway decides for each session. `account`: for people,
 * not for keys. Or the assistant that the route belongs to.
 */
type Reach = 'everybody' | 'sessions' | 'account' | { readonly assistant: string };

const reaches: readonly (readonly [path: string, reach: Reach])[] = [
  ['/api/me', 'everybody'],
  ['/api/assistants', 'everybody'],
  ['/api/account', 'account'],
  ['/api/keys', 'account'],
  ['/api/people', 'account'],
  ['/api/usage', 'account'],
  ['/api/budgets', 'account'],
  ['/api/sessions', 'sessions'],
  ['/api/live', 'sessions'],
  ['/api/notifications', 'sessions'],
  ['/api/push', 'account'],
  ['/api/chat', 'sessions'],
  ['/api/claude/chat', 'sessions'],
  ['/api/claude/chat-stream', 'sessions'],
  ['/api/claude/clear', 'sessions'],
  ['/api/claude/history', 'sessions'],
  ['/api/claude/sessions', { assistant: claudeCode }],
  ['/api/work-folders', { assistant: claudeCode }],
  ['/api/notes', { assistant: 'notes' }],
  ['/api/recipes', { assistant: 'kitchen' }],
  ['/api/linkedin', { assistant: 'notes' }],
];

/** Throws `forbidden` if the route is closed to the actor. `path` is the pattern of the route. */
export function checkReach(access: Access, actor: Actor, path: string): void {
  const allowed = access.assistantsOf(actor);
  if (allowed === undefined || !isLimited(path)) return;
  const reach = reaches.find(([start]) => path === start || path.startsWith(`${start}/`))?.[1];
  if (reach === 'everybody' || reach === 'sessions') return;
  if (reach === 'account' && typeof actor === 'string') return;
  if (typeof reach === 'object' && allowed.includes(reach.assistant)) return;
  throw notForThem;
}

/** Whether the credentials may use the method. `changes` is true for routes that change something with any method. */
export function mayUseMethod({ scope }: Caller, method: string, changes = false): boolean {
  return !scope?.readOnly || (safeMethods.has(method) && !changes);
}

export function actorFor(
  person: PersonName,
  { scope, forwarded }: Pick<Caller, 'scope' | 'forwarded'>,
): Actor {
  return scope ? { person, scope, ...(forwarded && { forwarded }) } : person;
}

/** Pages and their files are for everybody. */
function isLimited(path: string): boolean {
  return path.startsWith('/api/') || path === '/metrics';
}

const notForThem = new ParleyError('forbidden', 'You are not allowed to use this.');
