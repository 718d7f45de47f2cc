// Whether a call was refused, or stopped before it was done. The program says so in fields, which have other names in
// transcripts. Older versions, and calls of subagents, say it only in the words of the result.
import { noReason } from '../control/permission.ts';
import { type Fields, isRecord, record, text } from '../fields.ts';
import type { ContentBlock, UserBody } from '../frames/bodies.ts';
import { isStopNote } from '../frames/program-tags.ts';
import type { MetadataEvent } from './event.ts';

type CallEnding = Pick<Extract<MetadataEvent, { kind: 'tool_result' }>, 'isDenied' | 'reason' | 'isStopped'>;

export function callEnding(body: UserBody, block: ContentBlock): CallEnding {
  if (block.is_error !== true) return ranToItsEnd;
  const words = text(block.content) ?? '';
  const meta = metaOf(body, block);
  const kind = text(meta['non_execution_kind']) ?? text(body.toolDenialKind);
  const { decision, source } = record(meta['permission_decision'] ?? body.permissionDecision);
  const isRejected = decision === 'reject' && source !== 'user_abort';
  if (isRejected || isRefusal(kind) || words === noReason) {
    const feedback = text(meta['user_feedback'] ?? body.userFeedback);
    const isBoilerplate = words === '' || words === noReason || kind === 'user-rejected';
    const reason = feedback ?? (isBoilerplate ? undefined : words);
    return { isDenied: true, reason, isStopped: false };
  }
  const isStopped = kind === undefined ? isStopNote(words) : stops.has(kind);
  return { ...ranToItsEnd, isStopped };
}

const ranToItsEnd: CallEnding = { isDenied: false, reason: undefined, isStopped: false };

/** The program's words for calls that ended with their turn. */
const stops: ReadonlySet<string> = new Set(['user-rejected', 'interrupted', 'cancelled']);

/** By a rule, a hook, or the program's own judgment in `auto` mode. */
function isRefusal(kind: string | undefined): boolean {
  return kind === 'permission-rule' || kind?.startsWith('automode-') === true;
}

function metaOf({ tool_result_meta: all }: UserBody, { tool_use_id: id }: ContentBlock): Fields {
  return record(Array.isArray(all) ? all.filter(isRecord).find((meta) => meta['id'] === id) : undefined);
}
