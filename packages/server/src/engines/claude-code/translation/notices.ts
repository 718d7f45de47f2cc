// Frames that a person should hear of in a sentence, wherever they are. All others speak for themselves to those
// who read frames.
import type { Frame } from '@parley/claude-cli';
import type { EngineEvent } from '@parley/protocol';

export function noticeOf(frame: Frame): EngineEvent[] {
  const { type, subtype } = frame.body as { readonly type?: unknown; readonly subtype?: unknown };
  switch (type === 'system' ? subtype : type) {
    case 'compact_boundary':
      return notice(
        'compacted',
        'The conversation had become long; the program now works with a summary of it.',
      );
    case 'api_retry':
      return notice('retrying', 'The model could not be reached; the program tries again.');
    case 'rate_limit_event':
      return isRefused(frame) ? notice('rate-limited', 'The limit of the account is reached for now.') : [];
    default:
      return [];
  }
}

/** The program also tells of a limit that is merely near. */
function isRefused({ body }: Frame): boolean {
  const info = (body as { rate_limit_info?: { status?: unknown } }).rate_limit_info;
  return info?.status === 'rejected';
}

function notice(code: string, message: string): EngineEvent[] {
  return [{ type: 'notice', code, message }];
}
