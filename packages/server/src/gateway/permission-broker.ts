// Holds the open permissions of one session. Each settles exactly once: by a person, by an allowance for the session, by
// the engine cancelling it, or by the end of its turn. A missing answer never counts as an allow.
import type {
  Decision,
  GatewayEvent,
  PendingPermission,
  PermissionId,
  PermissionRequest,
  SettleReason,
  TurnId,
} from '@parley/protocol';
import type { NewId } from '../domain/clock.ts';

type PermissionEvent = Extract<GatewayEvent, { type: 'permission.asked' | 'permission.settled' }>;

interface OpenPermission extends PendingPermission {
  readonly settle: (decision: Decision, reason: SettleReason) => void;
}

/** More questions are denied at once. */
const mostOpen = 100;

export class PermissionBroker {
  readonly #open = new Map<PermissionId, OpenPermission>();
  readonly #allowedTools: Set<string>;
  readonly #publish: (turnId: TurnId, event: PermissionEvent) => void;
  readonly #newId: NewId;

  constructor(
    allowedTools: Set<string>,
    newId: NewId,
    publish: (turnId: TurnId, event: PermissionEvent) => void,
  ) {
    this.#allowedTools = allowedTools;
    this.#newId = newId;
    this.#publish = publish;
  }

  /** Blocks until the permission is settled. A question for a person is asked even where its tool is allowed. */
  ask(turnId: TurnId, request: PermissionRequest, signal: AbortSignal): Promise<Decision> {
    if (signal.aborted) return Promise.resolve(denied('The turn was stopped before anybody decided.'));
    if (this.#allowedTools.has(request.tool) && !needsPerson(request)) {
      return Promise.resolve({ behavior: 'allow', scope: 'session' });
    }
    if (this.#open.size >= mostOpen) return Promise.resolve(denied('Too many permissions are waiting.'));

    return new Promise((resolve) => {
      const id = this.#newId();
      const onAbort = () => settle(denied('The request was cancelled before anybody decided.'), 'cancelled');
      const settle = (decision: Decision, reason: SettleReason) => {
        if (!this.#open.delete(id)) return;
        signal.removeEventListener('abort', onAbort);
        this.#publish(turnId, { type: 'permission.settled', id, tool: request.tool, decision, reason });
        resolve(decision);
      };
      this.#open.set(id, { id, turnId, request, settle });
      signal.addEventListener('abort', onAbort, { once: true });
      this.#publish(turnId, { type: 'permission.asked', id, request });
    });
  }

  /** False if the permission is not open (any more). */
  decide(id: PermissionId, decision: Decision): boolean {
    const permission = this.#open.get(id);
    if (!permission) return false;
    permission.settle(decision, 'decided');
    if (decision.behavior === 'allow' && decision.scope === 'session') this.#allow(permission.request.tool);
    return true;
  }

  /** The turn is over: what it still asks is void. */
  endTurn(turnId: TurnId): void {
    for (const permission of this.#open.values()) {
      if (permission.turnId !== turnId) continue;
      permission.settle(denied('The turn ended before anybody decided.'), 'turn-ended');
    }
  }

  pending(): readonly PendingPermission[] {
    return [...this.#open.values()].map(({ id, turnId, request }) => ({ id, turnId, request }));
  }

  #allow(tool: string): void {
    this.#allowedTools.add(tool);
    for (const permission of this.#open.values()) {
      if (permission.request.tool !== tool || needsPerson(permission.request)) continue;
      permission.settle({ behavior: 'allow', scope: 'session' }, 'allowed-for-session');
    }
  }
}

/** Questions and plans need an answer: an allowance for their tool is not one. */
function needsPerson(request: PermissionRequest): boolean {
  return request.details?.['requires_user_interaction'] === true;
}

function denied(message: string): Decision {
  return { behavior: 'deny', message };
}
