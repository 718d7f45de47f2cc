// What the program says of itself: how it was started, how it stands, what went wrong.
import type { Draft } from './draft.ts';
import type { Item, NoteItem } from './items.ts';
import { describedCommands, namedCommands } from './offered-commands.ts';
import { type Frame, number, text } from './read.ts';
import { withoutStyles } from './terminal-text.ts';

export function readSystem(draft: Draft, frame: Frame): readonly Item[] {
  const subtype = text(frame['subtype']) ?? '';
  const permissionMode = text(frame['permissionMode']);
  if (permissionMode !== undefined) draft.learn({ permissionMode });
  if (subtype === 'init') {
    learnStart(draft, frame);
    return [];
  }
  if (subtype === 'commands_changed') {
    draft.learn({ commands: describedCommands(frame['commands']) ?? draft.facts.commands });
    return [];
  }
  if (quietSubtypes.has(subtype)) return [];
  const common = {
    key: text(frame['uuid']) ?? JSON.stringify(frame),
    at: text(frame['timestamp']),
    raw: frame,
  };
  const note = noteOf(subtype, frame);
  if (note) return [{ ...common, kind: 'note', ...note }];
  return [{ ...common, kind: 'raw', type: `system ${subtype}`.trim() }];
}

const quietSubtypes = new Set([
  'status',
  'thinking_tokens',
  'session_state_changed',
  'background_tasks_changed',
  'task_started',
  'task_progress',
  'task_updated',
  'task_notification',
  'hook_started',
  'hook_progress',
  'hook_response',
  'files_persisted',
  'turn_duration',
  'stop_hook_summary',
  'file_snapshot',
  'elicitation_complete',
  'memory_recall',
  'bridge_status',
]);

function noteOf(subtype: string, frame: Frame): Pick<NoteItem, 'tone' | 'text' | 'detail'> | undefined {
  const content = text(frame['content']);
  switch (subtype) {
    case 'compact_boundary':
    case 'microcompact_boundary':
      return { tone: 'plain', text: 'The conversation was compacted to make room.', detail: undefined };
    case 'api_retry':
    case 'api_error': {
      const attempt = number(frame['attempt'] ?? frame['retryAttempt']);
      const most = number(frame['max_retries'] ?? frame['maxRetries']);
      const count = attempt === undefined ? '' : ` (${attempt}${most === undefined ? '' : ` of ${most}`})`;
      return { tone: 'warn', text: `The service did not answer. Trying again${count} …`, detail: undefined };
    }
    case 'permission_denied':
      return {
        tone: 'warn',
        text: `${text(frame['tool_name']) ?? 'A tool'} was not allowed.`,
        detail: text(frame['message']) ?? text(frame['reason']),
      };
    case 'local_command':
    case 'local_command_output':
      return { tone: 'plain', text: 'Output of the command', detail: withoutStyles(content ?? '') };
    default:
      if (content === undefined || content.trim() === '') return undefined;
      return { tone: frame['level'] === 'error' ? 'danger' : 'plain', text: content, detail: undefined };
  }
}

function learnStart(draft: Draft, frame: Frame): void {
  const { commands } = draft.facts;
  draft.learn({
    model: text(frame['model']) ?? draft.facts.model,
    workingDir: text(frame['cwd']) ?? draft.facts.workingDir,
    commands: namedCommands(frame['slash_commands'], commands) ?? commands,
  });
}
