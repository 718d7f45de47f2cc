// Holds the open permissions of one session. Each settles exactly once: by a person, by an allowance for the session, by
// the engine cancelling it, or by the end of its turn. Silence never counts as permission.
import {
  type Decision,
  type GatewayEvent,
  needsAnswerEachTime,
  type PendingPermission,
  type PermissionId,
  type PermissionRequest,
  type Sentence,
  type SettleReason,
  say,
  type TurnId,
} from '@parley/protocol';
import type { Allowances } from '../domain/allowances.ts';
import type { NewId } from '../domain/clock.ts';

type PermissionEvent = Extract<GatewayEvent, { type: 'permission.asked' | 'permission.settled' }>;

interface OpenPermission extends PendingPermission {
  readonly settle: (decision: Decision, reason: SettleReason) => void;
}

/** More questions are denied at once. */
const maxOpen = 100;

export class PermissionBroker {
  readonly #open = new Map<PermissionId, OpenPermission>();
  readonly #allowed: Allowances;
  readonly #publish: (turnId: TurnId, event: PermissionEvent) => void;
  readonly #newId: NewId;

  constructor(allowed: Allowances, newId: NewId, publish: (turnId: TurnId, event: PermissionEvent) => void) {
    this.#allowed = allowed;
    this.#newId = newId;
    this.#publish = publish;
  }

  /**
   * A promise if somebody has to decide; it settles with the permission. A question for a person is asked even if its
   * tool is allowed.
   */
  ask(turnId: TurnId, request: PermissionRequest, signal: AbortSignal): Decision | Promise<Decision> {
    if (signal.aborted) return denied('The turn was stopped before anybody decided.');
    if (this.#allowed.has(request.tool) && !needsAnswerEachTime(request)) {
      return { behavior: 'allow', scope: 'session' };
    }
    if (this.#open.size >= maxOpen) return denied('Too many permissions are waiting.');

    return new Promise((resolve) => {
      const id = this.#newId();
      const onAbort = () => settle(denied('The request was canceled before anybody decided.'), 'cancelled');
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

  /** False if the permission isn't open, or no longer. */
  decide(id: PermissionId, decision: Decision): boolean {
    const permission = this.#open.get(id);
    if (!permission) return false;
    permission.settle(decision, 'decided');
    if (decision.behavior === 'allow' && decision.scope === 'session') this.#allow(permission.request.tool);
    return true;
  }

  /** The turn is over: denies what it still asks. */
  endTurn(turnId: TurnId): void {
    this.#settleAll(turnId, denied('The turn ended before anybody decided.'), 'turn-ended');
  }

  /** Too many turns wait for people, and this one has waited longest. */
  giveUp(turnId: TurnId): void {
    this.#settleAll(turnId, denied(nobodyDecided), 'cancelled');
  }

  pending(): readonly PendingPermission[] {
    return [...this.#open.values()].map(({ id, turnId, request }) => ({ id, turnId, request }));
  }

  #settleAll(turnId: TurnId, decision: Decision, reason: SettleReason): void {
    for (const permission of this.#open.values()) {
      if (permission.turnId === turnId) permission.settle(decision, reason);
    }
  }

  #allow(tool: string): void {
    this.#allowed.add(tool);
    for (const permission of this.#open.values()) {
      if (permission.request.tool !== tool || needsAnswerEachTime(permission.request)) continue;
      permission.settle({ behavior: 'allow', scope: 'session' }, 'allowed-for-session');
    }
  }
}

/** What somebody decided, for the audit log. */
export function factsOf(decision: Decision, tool: string | undefined): Sentence {
  const how = decision.behavior === 'allow' ? allowed[decision.scope] : say`denied`;
  return tool === undefined ? how : say`${tool}; ${how}`;
}

const allowed = {
  once: say`allowed once`,
  session: say`allowed for the session`,
  suggested: say`allowed by the suggested rule`,
} as const;

const nobodyDecided =
  'Nobody decided, and too many other sessions are waiting for a decision too. Tell the person to ask again.';

function denied(message: string): Decision {
  return { behavior: 'deny', message };
}
