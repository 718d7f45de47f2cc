// A permission blocks a tool until somebody decides. Silence never counts as permission.
import { z } from 'zod';
import { PermissionId } from './ids.ts';

/** What a tool wants to do, for the person who decides. */
export const PermissionRequest = z.object({
  tool: z.string(),
  input: z.unknown(),
  /** The tool call that the question blocks, if the engine names one. */
  toolUseId: z.string().optional(),
  /** One line for the person: what would happen. */
  description: z.string().optional(),
  /** Other fields from the engine, passed on unchanged (rule suggestions, question forms). */
  details: z.record(z.string(), z.unknown()).optional(),
});
export type PermissionRequest = z.infer<typeof PermissionRequest>;

export const PendingPermission = z.object({ id: PermissionId, turnId: z.uuid(), request: PermissionRequest });
export type PendingPermission = z.infer<typeof PendingPermission>;

export const Decision = z.discriminatedUnion('behavior', [
  z.object({
    behavior: z.literal('allow'),
    /**
     * `session` also allows every later call of the same tool in this session, `suggested` only those that match the
     * rules that the engine suggests.
     */
    scope: z.enum(['once', 'session', 'suggested']),
    updatedInput: z.unknown().optional(),
  }),
  z.object({ behavior: z.literal('deny'), message: z.string().optional() }),
]);
export type Decision = z.infer<typeof Decision>;

/** Calls of a tool that are allowed without asking, as the `claude` program writes them: `Bash` with `npm test *`. */
export interface PermissionRule {
  readonly toolName: string;
  readonly ruleContent: string;
}

/** The rules the program suggests that are narrower than a whole tool. Its other suggestions are left out. */
export function suggestedRules({ details }: PermissionRequest): readonly PermissionRule[] {
  return objects(details?.['permission_suggestions'])
    .filter(({ type, behavior }) => type === 'addRules' && behavior === 'allow')
    .flatMap(({ rules }) => objects(rules))
    .flatMap(({ toolName, ruleContent }) =>
      typeof toolName === 'string' && typeof ruleContent === 'string' ? [{ toolName, ruleContent }] : [],
    );
}

function objects(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'object' && entry !== null) : [];
}

/** Whether a person must answer each time, even if the tool is allowed for the session. */
export function needsAnswerEachTime({ details }: PermissionRequest): boolean {
  return details?.['requires_user_interaction'] === true;
}

/** Why a permission is no longer open. Only `decided` and `allowed-for-session` came from a person. */
export const SettleReason = z.enum(['decided', 'allowed-for-session', 'cancelled', 'turn-ended']);
export type SettleReason = z.infer<typeof SettleReason>;
