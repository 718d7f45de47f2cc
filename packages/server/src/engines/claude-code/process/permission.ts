// The program's question whether a tool may run, as the gateway asks it, and the decision in the program's format.
import type { PermissionRequest as Asked, PermissionDecision } from '@parley/claude-cli';
import type { Decision, PermissionRequest } from '@parley/protocol';

/** Everything else that the program sent is passed on untouched. */
export function toPermissionRequest(asked: Asked): PermissionRequest {
  const { subtype: _, tool_name: __, input, tool_use_id: ___, description: ____, ...details } = asked.raw;
  return {
    tool: asked.toolName,
    input: input ?? {},
    ...(asked.toolUseId !== undefined && { toolUseId: asked.toolUseId }),
    ...(asked.description !== undefined && { description: asked.description }),
    details: { ...details, request_id: asked.requestId },
  };
}

export function toProgramDecision(decision: Decision): PermissionDecision {
  if (decision.behavior === 'deny') return { behavior: 'deny', message: decision.message ?? '' };
  const { updatedInput } = decision;
  return isObject(updatedInput) ? { behavior: 'allow', updatedInput } : { behavior: 'allow' };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
