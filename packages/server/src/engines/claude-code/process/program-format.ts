// Converts prompts, permissions and decisions to and from the program's format.
import type { PermissionRequest as Asked, InputBlock, PermissionDecision } from '@parley/claude-cli';
import { type Decision, type PermissionRequest, type Prompt, suggestedRules } from '@parley/protocol';
import { isRecord } from '../../../basics/is-record.ts';

/** Text alone stays text, so that the program recognizes commands such as `/compact`. Files are already placed. */
export function toUserContent(prompt: Prompt): string | readonly InputBlock[] {
  const texts = prompt.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  if (texts.length === prompt.length) return texts.join('\n');
  return prompt.flatMap((part): InputBlock[] => {
    switch (part.type) {
      case 'text':
        return [{ type: 'text', text: part.text }];
      case 'image':
        return [{ type: 'image', source: { type: 'base64', media_type: part.mediaType, data: part.data } }];
      case 'file':
        return [];
      default:
        return part satisfies never;
    }
  });
}

/** `details` has everything else that the program sent, unchanged. */
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

/** Suggested rules apply to this session only, no matter what the program would do with them. */
export function toProgramDecision(decision: Decision, request: PermissionRequest): PermissionDecision {
  if (decision.behavior === 'deny') return { behavior: 'deny', message: decision.message ?? '' };
  const { updatedInput, scope } = decision;
  const rules = scope === 'suggested' ? suggestedRules(request) : [];
  return {
    behavior: 'allow',
    ...(isRecord(updatedInput) && { updatedInput }),
    ...(rules.length > 0 && {
      updatedPermissions: [{ type: 'addRules', behavior: 'allow', destination: 'session', rules }],
    }),
  };
}
