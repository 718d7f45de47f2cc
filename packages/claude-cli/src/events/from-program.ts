// Translates what the program reports about itself: how it was started, its state, what went wrong.

import { type Fields, number, record, text } from '../fields.ts';
import type { SystemInitBody } from '../frames/bodies.ts';
import { bookkeepingTypes } from '../frames/bookkeeping-types.ts';
import type { FrameOfKind } from '../frames/frame.ts';
import type { ClaudeEvent, Command } from './event.ts';
import { announcement, commandOutput } from './from-messages.ts';
import { type Translation, type TranslationState, withRunning } from './translation-state.ts';

const MAX_COMMANDS = 1_000;

export function fromInit(body: SystemInitBody, state: TranslationState): Translation {
  const commands = namedCommands(body.slash_commands, state.commands) ?? state.commands;
  const session: ClaudeEvent = {
    type: 'metadata',
    kind: 'session',
    sessionId: body.session_id,
    model: body.model,
    workingDir: body.cwd,
    permissionMode: body.permissionMode,
    tools: body.tools ?? [],
    commands,
    version: body.claude_code_version,
  };
  return withRunning({ ...state, model: body.model, commands }, [session]);
}

export function fromSystem({ body }: FrameOfKind<'system'>, state: TranslationState): Translation {
  const fields = body as unknown as Fields;
  const permissionMode = text(fields['permissionMode']);
  const commands = body.subtype === 'commands_changed' ? readCommands(fields['commands']) : undefined;
  const events: ClaudeEvent[] = [];
  if (permissionMode !== undefined || commands) {
    events.push({
      type: 'metadata',
      kind: 'settings',
      ...(permissionMode !== undefined && { permissionMode }),
      ...(commands && { commands }),
    });
  }
  const announced = announcementOf(body.subtype ?? '', fields);
  if (announced) events.push(announced);
  else if (events.length === 0) events.push(notice('system', body.subtype));
  return { events, state: commands ? { ...state, commands } : state };
}

/** A frame of an unknown kind, or of a known kind with an unexpected shape. */
export function fromUnknown(body: Fields): ClaudeEvent {
  const type = text(body['type']) ?? 'unknown';
  const uuid = text(body['command_uuid']);
  const lifecycle = text(body['state']);
  if (type === 'command_lifecycle' && uuid !== undefined && lifecycle !== undefined) {
    return { type: 'metadata', kind: 'input_state', uuid, state: lifecycle };
  }
  // The program also reports limits that are only close.
  if (type === 'rate_limit_event' && record(body['rate_limit_info'])['status'] === 'rejected') {
    return announcement('rate-limited', 'The account has reached its limit for now.', { tone: 'warn' });
  }
  return notice(type, text(body['subtype']));
}

export function fromProgress({ body }: FrameOfKind<'progress'>): ClaudeEvent {
  const { tool_use_id: toolUseId, tool_name: name, elapsed_time_seconds: seconds } = body;
  if (toolUseId === undefined || name === undefined || seconds === undefined) return notice(body.type);
  return { type: 'metadata', kind: 'tool_progress', toolUseId, name, seconds };
}

export function notice(frameType: string, subtype?: string): ClaudeEvent {
  const isKnown =
    frameType === 'system'
      ? quietSubtypes.has(subtype ?? '')
      : quietTypes.has(frameType) || bookkeepingTypes.has(frameType);
  return { type: 'metadata', kind: 'notice', frameType, subtype, isKnown };
}

/** Types that mean nothing to a person. */
const quietTypes: ReadonlySet<string> = new Set([
  'auth_status',
  'command_lifecycle',
  'keep_alive',
  'progress',
  'prompt_suggestion',
  'rate_limit_event',
  'streamlined_text',
  'summary',
  'tool_progress',
  'tool_use_summary',
]);

const quietSubtypes: ReadonlySet<string> = new Set([
  'background_tasks_changed',
  'bridge_status',
  'commands_changed',
  'elicitation_complete',
  'file_snapshot',
  'files_persisted',
  'hook_progress',
  'hook_response',
  'hook_started',
  'memory_recall',
  'session_state_changed',
  'status',
  'stop_hook_summary',
  'task_notification',
  'task_progress',
  'task_started',
  'task_updated',
  'thinking_tokens',
  'turn_duration',
]);

function announcementOf(subtype: string, fields: Fields): ClaudeEvent | undefined {
  const content = text(fields['content']);
  switch (subtype) {
    case 'compact_boundary':
    case 'microcompact_boundary':
      return announcement('compacted', 'The conversation was compacted to make room.');
    case 'api_retry':
    case 'api_error': {
      const attempt = number(fields['attempt'] ?? fields['retryAttempt']);
      const limit = number(fields['max_retries'] ?? fields['maxRetries']);
      const count = attempt === undefined ? '' : ` (${attempt}${limit === undefined ? '' : ` of ${limit}`})`;
      const status = number(fields['error_status']);
      const isRefused = status === 401 || status === 403;
      // At first the program may just be renewing its login.
      const code = isRefused && (attempt ?? 0) >= 3 ? 'login-refused' : 'retrying';
      return announcement(code, `${retryReason(status)} Trying again${count} …`, { tone: 'warn' });
    }
    case 'permission_denied': {
      const detail = text(fields['message']) ?? text(fields['reason']);
      const sentence = `${text(fields['tool_name']) ?? 'A tool'} was not allowed.`;
      return announcement('tool-denied', sentence, { tone: 'warn', ...(detail !== undefined && { detail }) });
    }
    case 'local_command':
    case 'local_command_output':
      return commandOutput(content ?? '');
    default:
      if (content === undefined || content.trim() === '' || quietSubtypes.has(subtype)) return undefined;
      return announcement('program', content, { tone: fields['level'] === 'error' ? 'danger' : 'plain' });
  }
}

function retryReason(status: number | undefined): string {
  switch (status) {
    case 401:
    case 403:
      return 'The service does not accept the login.';
    case 429:
      return 'The rate limit of the service was reached.';
    case 529:
      return 'The service is overloaded.';
    default:
      return status === undefined ? 'The service did not answer.' : `The service has a problem (${status}).`;
  }
}

/** When it starts, the program only names its commands. Keeps the descriptions that are already known. */
function namedCommands(names: unknown, known: readonly Command[]): readonly Command[] | undefined {
  if (!Array.isArray(names)) return undefined;
  return names.slice(0, MAX_COMMANDS).flatMap((name): Command[] => {
    if (typeof name !== 'string' || name === '') return [];
    return [known.find((command) => command.name === name) ?? { name }];
  });
}

/** Reads commands the way the program lists them in its answer to `initialize` and whenever they change. */
export function readCommands(reported: unknown): readonly Command[] | undefined {
  if (!Array.isArray(reported)) return undefined;
  return reported.slice(0, MAX_COMMANDS).flatMap((entry): Command[] => {
    const fields = record(entry);
    const name = filled(fields['name']);
    const description = filled(fields['description']);
    const hint = filled(fields['argumentHint']);
    if (name === undefined) return [];
    return [{ name, ...(description && { description }), ...(hint && { hint }) }];
  });
}

function filled(value: unknown): string | undefined {
  return text(value)?.trim() || undefined;
}
