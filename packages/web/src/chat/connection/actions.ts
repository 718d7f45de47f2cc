// What one can do in a conversation, beside sending a message. Each resolves when the server has done it; what
// changed comes back as events.
import type { Session } from '@parley/protocol';
import { send } from '../../api/http.ts';

export function stopTurn(id: string): Promise<unknown> {
  return send('POST', `/api/sessions/${id}/interrupt`);
}

export function takeBack(id: string, turnId: string): Promise<unknown> {
  return send('DELETE', `/api/sessions/${id}/queue/${turnId}`);
}

export function reorderQueue(id: string, order: readonly string[]): Promise<unknown> {
  return send('PUT', `/api/sessions/${id}/queue`, { order });
}

export function chooseModel(id: string, model: string): Promise<Session> {
  return send('PATCH', `/api/sessions/${id}`, { model });
}

export type Answer =
  | { readonly behavior: 'allow'; readonly scope: 'once' | 'session' }
  | { readonly behavior: 'deny'; readonly message?: string };

export function decide(id: string, permissionId: string, answer: Answer): Promise<unknown> {
  return send('POST', `/api/sessions/${id}/permissions/${permissionId}`, answer);
}
