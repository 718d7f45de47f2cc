// A tool call in one line: what it does, and to what.
import { t } from '../../i18n/translate.ts';
import type { Json } from './read.ts';
import { number, text } from './read.ts';

export type ToolShape =
  | 'command'
  | 'edit'
  | 'read'
  | 'search'
  | 'web'
  | 'todos'
  | 'agent'
  | 'question'
  | 'plan'
  | 'other';

export interface ToolDescription {
  readonly shape: ToolShape;
  readonly verb: string;
  /** A path, a pattern or an address, shown in a fixed-width font. */
  readonly target: string;
  /** The model's own description, if it wrote one. */
  readonly words: string | undefined;
}

export function describeTool(name: string, input: Json, workingDir: string | undefined): ToolDescription {
  const field = (key: string) => text(input[key]) ?? '';
  const path = (key = 'file_path') => shortPath(field(key), workingDir);
  const words = text(input['description']);
  switch (name) {
    case 'Bash':
    case 'PowerShell':
      // The card shows the command itself below.
      return words === undefined || words.trim() === ''
        ? { shape: 'command', verb: t('Run'), target: firstLine(field('command')), words: undefined }
        : { shape: 'command', verb: words, target: '', words: undefined };
    case 'BashOutput':
    case 'TaskOutput':
      return {
        shape: 'other',
        verb: t('Read the output of'),
        target: field('bash_id') || field('task_id'),
        words,
      };
    case 'Edit':
    case 'MultiEdit':
      return { shape: 'edit', verb: t('Edit'), target: path(), words };
    case 'Write':
      return { shape: 'edit', verb: t('Write'), target: path(), words };
    case 'NotebookEdit':
      return { shape: 'other', verb: t('Edit'), target: path('notebook_path'), words };
    case 'Read':
      return { shape: 'read', verb: t('Read'), target: `${path()}${lineRange(input)}`, words };
    case 'Grep':
      return {
        shape: 'search',
        verb: t('Search for'),
        target: within(field('pattern'), path('path') || field('glob')),
        words,
      };
    case 'Glob':
      return { shape: 'search', verb: t('Find'), target: within(field('pattern'), path('path')), words };
    case 'LS':
      return { shape: 'search', verb: t('List'), target: path('path'), words };
    case 'WebFetch':
      return { shape: 'web', verb: t('Fetch'), target: field('url'), words: text(input['prompt']) };
    case 'WebSearch':
      return { shape: 'web', verb: t('Search the web for'), target: '', words: field('query') };
    case 'ToolSearch':
      return { shape: 'other', verb: t('Load'), target: field('query').replace(/^select:/, ''), words };
    case 'EnterPlanMode':
      return { shape: 'other', verb: t('Start planning'), target: '', words };
    case 'TodoWrite':
      return { shape: 'todos', verb: t('Update the to-do list'), target: '', words };
    case 'TaskCreate':
      return { shape: 'other', verb: t('Add a task'), target: '', words: field('subject') };
    case 'TaskUpdate':
      return {
        shape: 'other',
        verb: (taskVerbs[field('status')] ?? changeTask)(),
        target: '',
        words: field('subject') || `#${field('taskId')}`,
      };
    case 'TaskList':
      return { shape: 'other', verb: t('List the tasks'), target: '', words: undefined };
    case 'Task':
    case 'Agent':
      return {
        shape: 'agent',
        verb: t('Delegate'),
        target: '',
        words: words ?? text(input['subagent_type']),
      };
    case 'AskUserQuestion':
      return { shape: 'question', verb: t('Ask you a question'), target: '', words: undefined };
    case 'ExitPlanMode':
      return { shape: 'plan', verb: t('Plan'), target: '', words: undefined };
    default:
      return { shape: 'other', verb: readableName(name), target: firstWords(input), words };
  }
}

const changeTask = () => t('Change a task');
const taskVerbs: Readonly<Record<string, () => string>> = {
  pending: () => t('Reopen a task'),
  in_progress: () => t('Start a task'),
  completed: () => t('Finish a task'),
  deleted: () => t('Delete a task'),
};

/** `mcp__recipes__list_recipes` is "recipes: list recipes". */
export function readableName(name: string): string {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/.exec(name) ?? [];
  if (server !== undefined && tool !== undefined) return `${server}: ${tool.replaceAll('_', ' ')}`;
  return name;
}

/** Relative to the working directory, where possible. */
export function shortPath(path: string, workingDir: string | undefined): string {
  if (workingDir === undefined || workingDir === '') return path;
  if (path === workingDir) return '.';
  return path.startsWith(`${workingDir}/`) ? path.slice(workingDir.length + 1) : path;
}

function lineRange(input: Json): string {
  const offset = number(input['offset']);
  const limit = number(input['limit']);
  if (offset === undefined && limit === undefined) return '';
  const from = offset ?? 1;
  return limit === undefined ? `:${from}–` : `:${from}–${from + limit - 1}`;
}

function within(pattern: string, path: string): string {
  return path === '' || path === '.' ? pattern : t('{pattern} in {path}', { pattern, path });
}

function firstLine(text: string): string {
  const [line = '', ...rest] = text.split('\n');
  return rest.length > 0 ? `${line} …` : line;
}

/** The first text in the input of an unknown tool. */
function firstWords(input: Json): string {
  const found = Object.values(input).find((value) => typeof value === 'string' && value !== '');
  return typeof found === 'string' ? firstLine(found).slice(0, 200) : '';
}
