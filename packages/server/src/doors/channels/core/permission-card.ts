// What a permission looks like in a chat, and what its buttons mean. Three kinds: may a tool run, is a plan good,
// and questions with options. Pure.
import type { Decision, PermissionId, PermissionRequest, SettleReason } from '@parley/protocol';
import { z } from 'zod';
import type { Button } from './channel.ts';
import { detailOf, visibly } from './permission-detail.ts';
import { toolLabel } from './tool-activity.ts';

export interface Question {
  readonly question: string;
  readonly options: readonly { readonly label: string; readonly description?: string | undefined }[];
  readonly multiSelect?: boolean | undefined;
}

export type Card =
  | { readonly kind: 'tool' | 'plan'; readonly text: string }
  | { readonly kind: 'questions'; readonly questions: readonly Question[] };

/** The labels chosen so far, one list for each question. */
export type Choices = readonly (readonly string[])[];

export type Choice =
  | { readonly kind: 'decide'; readonly id: PermissionId; readonly answer: 'once' | 'session' | 'deny' }
  /** `option` is absent when a choice of several is finished. */
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

/** `saidBefore` is what the model said last: where a plan is not in its request, it stands there. */
export function toCard(request: PermissionRequest, saidBefore: string): Card {
  const form = request.tool === 'AskUserQuestion' ? QuestionForm.safeParse(request.input) : undefined;
  if (form?.success) return { kind: 'questions', questions: form.data.questions };
  if (request.tool === 'ExitPlanMode') return { kind: 'plan', text: planText(request.input, saidBefore) };
  return { kind: 'tool', text: toolText(request) };
}

export function decisionButtons(kind: 'tool' | 'plan', id: PermissionId): readonly (readonly Button[])[] {
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
    [{ label: 'Allow for this session', data: `p:${id}:session` }],
  ];
}

export function questionText({ question, options, multiSelect }: Question): string {
  const described = options.filter(({ description }) => description);
  const lines = described.map(({ label, description }) => `- **${label}**: ${description}`);
  return [`❓ ${question}${multiSelect ? ' (choose any, then Done)' : ''}`, ...lines].join('\n');
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
    ? { behavior: 'deny', message: 'The person said no to this in the chat.' }
    : { behavior: 'allow', scope: answer };
}

/** The form goes back with what was chosen, as the program reads it. */
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
      return 'Taken back: nobody has to decide any more.';
    case 'turn-ended':
      return 'The turn ended before anybody decided.';
    default:
      return reason satisfies never;
  }
}

/** What was answered, also when another door answered. */
export function answeredText({ question }: Question, decision: Decision): string {
  if (decision.behavior === 'deny') return '❌ Not answered';
  const input = decision.updatedInput as { answers?: Readonly<Record<string, unknown>> } | undefined;
  const answer = input?.answers?.[question];
  return typeof answer === 'string' && answer !== '' ? `✅ ${answer}` : '✅ Answered';
}

function toolText({ tool, input, description }: PermissionRequest): string {
  const said = description ? [description] : [];
  return visibly([`🔐 May I use ${toolLabel(tool, undefined)}?`, ...said, detailOf(input)].join('\n'));
}

function planText(input: unknown, saidBefore: string): string {
  const given = (input as { plan?: unknown } | undefined)?.plan;
  const plan = typeof given === 'string' && given.trim() !== '' ? given.trim() : saidBefore;
  return plan === ''
    ? '📋 My plan is ready. Shall I go ahead?'
    : `📋 This is my plan:\n\n${plan}\n\nShall I go ahead?`;
}
