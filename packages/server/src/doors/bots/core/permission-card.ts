// How a permission looks in a chat, and what its buttons mean. There are three kinds: a tool that wants to run, a plan,
// and questions with options. Pure.
import {
  type Decision,
  needsAnswerEachTime,
  type PermissionId,
  type PermissionRequest,
  type SettleReason,
} from '@parley/protocol';
import { z } from 'zod';
import { fenced } from '../../../content/fenced.ts';
import type { Button } from './bot.ts';
import { toolLabel } from './tool-activity.ts';

export interface Question {
  readonly question: string;
  readonly options: readonly { readonly label: string; readonly description?: string | undefined }[];
  readonly multiSelect?: boolean | undefined;
}

export type Card =
  | { readonly kind: 'tool' | 'plan'; readonly text: string; readonly needsAnswerEachTime?: boolean }
  | { readonly kind: 'questions'; readonly questions: readonly Question[] };

/** The answers chosen so far, one list per question. */
export type Choices = readonly (readonly string[])[];

export type Choice =
  | { readonly kind: 'decide'; readonly id: PermissionId; readonly answer: 'once' | 'session' | 'deny' }
  /** `option` is absent for “Done”, which ends a multiple choice. */
  | {
      readonly kind: 'option';
      readonly id: PermissionId;
      readonly question: number;
      readonly option?: number;
    };

const QuestionForm = z.object({
  questions: z
    .array(
      z.object({
        question: z.string(),
        options: z
          .array(z.object({ label: z.string(), description: z.string().optional() }))
          .min(1)
          .max(12),
        multiSelect: z.boolean().optional(),
      }),
    )
    .min(1)
    .max(10),
});

/** `latestText` is the model's latest text: it contains the plan if the request doesn't. */
export function toCard(request: PermissionRequest, latestText: string): Card {
  const form = request.tool === 'AskUserQuestion' ? QuestionForm.safeParse(request.input) : undefined;
  if (form?.success) return { kind: 'questions', questions: form.data.questions };
  if (request.tool === 'ExitPlanMode') return { kind: 'plan', text: planText(request.input, latestText) };
  return { kind: 'tool', text: toolText(request), needsAnswerEachTime: needsAnswerEachTime(request) };
}

export function decisionButtons(
  { kind, needsAnswerEachTime = false }: Exclude<Card, { kind: 'questions' }>,
  id: PermissionId,
): readonly (readonly Button[])[] {
  if (kind === 'plan') {
    return [
      [
        { label: 'Go ahead', data: `p:${id}:once` },
        { label: 'Keep planning', data: `p:${id}:deny` },
      ],
    ];
  }
  return [
    [
      { label: 'Allow', data: `p:${id}:once` },
      { label: 'Deny', data: `p:${id}:deny` },
    ],
    ...(needsAnswerEachTime ? [] : [[{ label: 'Allow for this session', data: `p:${id}:session` }]]),
  ];
}

export function questionText({ question, options, multiSelect }: Question): string {
  const described = options.filter(({ description }) => description);
  const lines = described.map(({ label, description }) => `- **${label}**: ${description}`);
  return [`❓ ${question}${multiSelect ? ' (choose one or more, then Done)' : ''}`, ...lines].join('\n');
}

export function questionButtons(
  { options, multiSelect }: Question,
  id: PermissionId,
  index: number,
  chosen: readonly string[],
): readonly (readonly Button[])[] {
  const rows = options.map(({ label }, option) => [
    { label: chosen.includes(label) ? `✓ ${label}` : label, data: `q:${id}:${index}:${option}` },
  ]);
  return multiSelect ? [...rows, [{ label: 'Done', data: `q:${id}:${index}` }]] : rows;
}

export function readChoice(data: string): Choice | undefined {
  const decide = /^p:([0-9a-f-]{36}):(once|session|deny)$/.exec(data);
  if (decide?.[1] && decide[2]) {
    return { kind: 'decide', id: decide[1], answer: decide[2] as 'once' | 'session' | 'deny' };
  }
  const option = /^q:([0-9a-f-]{36}):(\d{1,2})(?::(\d{1,2}))?$/.exec(data);
  if (!option?.[1] || !option[2]) return undefined;
  const chosen = option[3] === undefined ? {} : { option: Number(option[3]) };
  return { kind: 'option', id: option[1], question: Number(option[2]), ...chosen };
}

export function toDecision(answer: 'once' | 'session' | 'deny'): Decision {
  return answer === 'deny'
    ? { behavior: 'deny', message: 'The person denied this in the chat.' }
    : { behavior: 'allow', scope: answer };
}

/** Returns the form with the chosen answers, in the shape that the program reads. */
export function answerDecision(
  request: PermissionRequest,
  questions: readonly Question[],
  choices: Choices,
): Decision {
  const answers = Object.fromEntries(
    questions.map(({ question }, index) => [question, (choices[index] ?? []).join(', ')]),
  );
  return { behavior: 'allow', scope: 'once', updatedInput: { ...(request.input as object), answers } };
}

export function settledText(decision: Decision, reason: SettleReason): string {
  switch (reason) {
    case 'decided':
    case 'allowed-for-session':
      if (decision.behavior === 'deny') return '❌ Denied';
      return decision.scope === 'session' ? '✅ Allowed for this session' : '✅ Allowed';
    case 'cancelled':
      return 'Withdrawn: no decision is needed anymore.';
    case 'turn-ended':
      return 'The turn ended before anybody decided.';
    default:
      return reason satisfies never;
  }
}

/** The answer, even when it was given at another door. */
export function answeredText({ question }: Question, decision: Decision): string {
  if (decision.behavior === 'deny') return '❌ Not answered';
  const input = decision.updatedInput as { answers?: Readonly<Record<string, unknown>> } | undefined;
  const answer = input?.answers?.[question];
  return typeof answer === 'string' && answer !== '' ? `✅ ${answer}` : '✅ Answered';
}

function toolText({ tool, input, description }: PermissionRequest): string {
  const about = description ? [description] : [];
  return withVisibleControls(
    [`🔐 May I use ${toolLabel(tool, undefined)}?`, ...about, detailOf(input)].join('\n'),
  );
}

function planText(input: unknown, latestText: string): string {
  const given = (input as { plan?: unknown } | undefined)?.plan;
  const plan = typeof given === 'string' && given.trim() !== '' ? given.trim() : latestText;
  return plan === ''
    ? '📋 My plan is ready. Should I go ahead?'
    : `📋 Here is my plan:\n\n${plan}\n\nShould I go ahead?`;
}

/** Longer than any command that somebody would read. Sent as several messages. */
const longestDetail = 12_000;

/** What exactly the tool would do, as Markdown. Nothing that matters is left out. */
function detailOf(input: unknown): string {
  const fields = (typeof input === 'object' && input !== null ? input : {}) as Fields;
  const shown = commandIn(fields) ?? changeIn(fields);
  return shown
    ? [shown.text, ...othersIn(fields, shown.names)].join('\n')
    : fenced(cut(asJson(input)), 'json');
}

/** Shows control characters as their number, because they could hide or reorder text. */
function withVisibleControls(text: string): string {
  return text.replaceAll(
    /[^\P{Cc}\n\t]|\p{Bidi_Control}/gu,
    (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`,
  );
}

type Fields = Readonly<Record<string, unknown>>;

interface Shown {
  readonly text: string;
  /** The fields of the input that `text` contains. */
  readonly names: readonly string[];
}

function commandIn({ command }: Fields): Shown | undefined {
  return typeof command === 'string' ? { text: fenced(cut(command)), names: ['command'] } : undefined;
}

/** An edit as removed and added lines; a new file as its content. */
function changeIn({
  file_path: path,
  old_string: before,
  new_string: after,
  content,
}: Fields): Shown | undefined {
  if (typeof path !== 'string') return undefined;
  const file = `\`${path.replaceAll('`', "'")}\``;
  if (typeof before === 'string' && typeof after === 'string') {
    const lines = [...marked('-', before), ...marked('+', after)].join('\n');
    return {
      text: `${file}\n${fenced(cut(lines), 'diff')}`,
      names: ['file_path', 'old_string', 'new_string'],
    };
  }
  if (typeof content !== 'string') return undefined;
  return { text: `${file}\n${fenced(cut(content))}`, names: ['file_path', 'content'] };
}

function marked(mark: string, text: string): readonly string[] {
  return text === '' ? [] : text.split('\n').map((line) => `${mark} ${line}`);
}

/** Leaves out the description, which the card shows above. */
function othersIn(fields: Fields, names: readonly string[]): readonly string[] {
  return Object.entries(fields)
    .filter(([name]) => name !== 'description' && !names.includes(name))
    .map(([name, value]) => `${name}: ${cut(asJson(value))}`);
}

function cut(text: string): string {
  if (text.length <= longestDetail) return text;
  const missing = (text.length - longestDetail).toLocaleString('en');
  return `${text.slice(0, longestDetail)}\n… (${missing} more characters; open Parley in the browser to see them)`;
}

function asJson(value: unknown): string {
  return JSON.stringify(value, undefined, 2) ?? '';
}
