// The program asks whether a tool may run, and the host answers. Plans (ExitPlanMode) and questions to the person
// (AskUserQuestion) use the same request.
import { isRecord, record, text } from '../fields.ts';
import type { ControlRequestBody } from '../frames/bodies.ts';

export interface PermissionRequest {
  readonly requestId: string;
  readonly toolName: string;
  readonly displayName: string | undefined;
  readonly input: Readonly<Record<string, unknown>>;
  readonly description: string | undefined;
  /** Rules that would make this question unnecessary; return some as `updatedPermissions` to apply them. */
  readonly suggestions: readonly PermissionUpdate[];
  readonly decisionReason: string | undefined;
  readonly decisionReasonType: string | undefined;
  readonly toolUseId: string | undefined;
  readonly agentId: string | undefined;
  /** A person has to give an answer, not just a yes or no. */
  readonly requiresUserInteraction: boolean;
  /** The request as received, with all its fields. */
  readonly raw: Readonly<Record<string, unknown>>;
}

/** A rule in the program's own format; passed through unchanged in both directions. */
export type PermissionUpdate = Readonly<Record<string, unknown>>;

export type PermissionDecision =
  | {
      readonly behavior: 'allow';
      /** The input to run with; by default the one in the request. */
      readonly updatedInput?: Readonly<Record<string, unknown>>;
      readonly updatedPermissions?: readonly PermissionUpdate[];
    }
  | { readonly behavior: 'deny'; readonly message: string; readonly interrupt?: boolean };

/**
 * Decides a permission. May take as long as a person needs: the program waits. The signal aborts when the program
 * withdraws the question or ends; an answer after that is ignored.
 */
export type PermissionHandler = (
  request: PermissionRequest,
  context: { readonly signal: AbortSignal },
) => PermissionDecision | Promise<PermissionDecision>;

export function readPermissionRequest(body: ControlRequestBody): PermissionRequest {
  const raw = body.request as Readonly<Record<string, unknown>>;
  return {
    requestId: body.request_id,
    toolName: text(raw['tool_name']) ?? '',
    displayName: text(raw['display_name']),
    input: record(raw['input']),
    description: text(raw['description']),
    suggestions: Array.isArray(raw['permission_suggestions'])
      ? raw['permission_suggestions'].filter(isRecord)
      : [],
    decisionReason: text(raw['decision_reason']),
    decisionReasonType: text(raw['decision_reason_type']),
    toolUseId: text(raw['tool_use_id']),
    agentId: text(raw['agent_id']),
    requiresUserInteraction: raw['requires_user_interaction'] === true,
    raw,
  };
}

/** What the model reads if a denial has no message. */
export const noReason = 'The person declined without giving a reason.';

/** The answer in the program's format. Anything that is not clearly an allow is a deny. */
export function toWireDecision(
  request: PermissionRequest,
  decision: PermissionDecision,
): Record<string, unknown> {
  if (decision.behavior === 'allow') {
    const { updatedInput = request.input, updatedPermissions } = decision;
    return { behavior: 'allow', updatedInput, ...(updatedPermissions ? { updatedPermissions } : {}) };
  }
  const { message, interrupt } = decision;
  return {
    behavior: 'deny',
    message: message || noReason,
    ...(interrupt ? { interrupt } : {}),
  };
}
