// What a client may do in its session: each message becomes one call to the gateway.
import {
  type CodeClientMessage,
  type Decision,
  ParleyError,
  PermissionId,
  type SessionId,
} from '@parley/protocol';
import { z } from 'zod';
import type { Actor } from '../../domain/access.ts';
import type { Door } from '../../domain/doors.ts';
import type { Gateway } from '../../domain/gateway.ts';
import { promptOnce } from '../../domain/prompt-once.ts';
import { contentToPrompt } from './client-message.ts';
import type { OnError } from './inbox.ts';

export interface CommandContext {
  readonly gateway: Gateway;
  readonly actor: Actor;
  readonly id: SessionId;
  /** Characters of one prompt. */
  readonly promptLength: number;
  /** Gets errors of work that continues after its call has returned. */
  readonly onError: OnError;
}

/** Rejects with a ParleyError whose sentence is for the client. */
export async function perform(message: CodeClientMessage, context: CommandContext): Promise<void> {
  const { gateway, actor, id } = context;
  switch (message.type) {
    case 'text':
      return send(message, context);
    case 'permission_response':
      return decide(message, context);
    case 'question_answer':
      return answer(message, context);
    case 'interrupt':
      // Resolves at the end of the turn, and what the client sends next may help to end it.
      gateway.interrupt(actor, id).catch(context.onError);
      return;
    case 'set_model':
      await gateway.configure(actor, id, { model: message.model });
      return;
    case 'set_permission_mode':
      await gateway.configure(actor, id, { permissionMode: message.mode });
      return;
    case 'queue_remove':
      await gateway.withdraw(actor, id, message.turnId);
      return;
    case 'queue_reorder':
      return gateway.reorder(actor, id, message.order);
    default:
      return message satisfies never;
  }
}

type Message<Type extends CodeClientMessage['type']> = Extract<CodeClientMessage, { type: Type }>;

async function send({ content, steer, key }: Message<'text'>, context: CommandContext): Promise<void> {
  const { gateway, actor, id } = context;
  const prompt = contentToPrompt(content, context.promptLength);
  if (steer === true && (await gateway.steer(actor, id, prompt, key))) return;
  const door: Door = 'programs';
  const request = { person: actor, session: id, prompt, door, ...(key !== undefined && { key }) };
  await promptOnce(gateway, request);
}

function toDecision({
  behavior,
  message,
  alwaysAllow,
  updatedInput,
}: Message<'permission_response'>): Decision {
  if (behavior === 'deny') return { behavior, ...(message !== undefined && { message }) };
  return { behavior, scope: alwaysAllow ? 'session' : 'once', ...(updatedInput && { updatedInput }) };
}

/** An answer that is late, repeated, foreign or for another tool is ignored. */
async function decide(message: Message<'permission_response'>, context: CommandContext): Promise<void> {
  const open = await openPermission(message.requestId, context);
  if (!open || (message.toolName ?? open.request.tool) !== open.request.tool) return;
  await context.gateway.decide(context.actor, context.id, open.id, toDecision(message));
}

/** A question is answered by allowing its tool, with the answers added to its input. */
async function answer(message: Message<'question_answer'>, context: CommandContext): Promise<void> {
  const open = await openPermission(message.questionId, context);
  if (!open) return;
  const questions = questionsOf(open.request.input);
  if (questions.length === 0) throw new ParleyError('invalid', 'This request asks no question.');
  const answers = Object.fromEntries(
    Object.entries(message.answers).map(([key, labels]) => [
      questionFor(key, questions),
      [labels].flat().join(', '),
    ]),
  );
  const updatedInput = { ...(open.request.input as object), answers };
  await context.gateway.decide(context.actor, context.id, open.id, {
    behavior: 'allow',
    scope: 'once',
    updatedInput,
  });
}

/** Finds a permission by its id, or by the tool call that it blocks. */
async function openPermission(wanted: string, { gateway, actor, id }: CommandContext) {
  const { permissions } = await gateway.state(actor, id);
  const isId = PermissionId.safeParse(wanted).success;
  return permissions.find((permission) =>
    isId ? permission.id === wanted : permission.request.toolUseId === wanted,
  );
}

function questionsOf(input: unknown): readonly string[] {
  const asked = AskedQuestions.safeParse(input);
  return asked.success ? asked.data.questions.map(({ question }) => question) : [];
}

const AskedQuestions = z.object({ questions: z.array(z.object({ question: z.string() })) });

/** By its text, or by its position as `q0`, `q1` … The program would ignore any other key. */
function questionFor(key: string, questions: readonly string[]): string {
  if (questions.includes(key)) return key;
  const position = /^q(\d{1,3})$/.exec(key)?.[1];
  const question = position === undefined ? undefined : questions[Number(position)];
  if (question !== undefined) return question;
  throw new ParleyError(
    'invalid',
    `There is no question \`${key.slice(0, 200)}\`. Answer by the text of a question, or by its position: q0, q1 and so on.`,
  );
}
