// Asks for permissions in chats: shows each with buttons, accepts an answer from anybody on the allow list, and then
// shows the outcome, no matter which door it was decided at.
import type {
  Decision,
  PermissionId,
  PermissionRequest,
  PersonName,
  SessionId,
  SettleReason,
} from '@parley/protocol';
import { KeyedQueue } from '../../../basics/keyed-queue.ts';
import type { Gateway } from '../../../domain/gateway.ts';
import {
  type ChatAddress,
  chatKey,
  type MessageRef,
  type OutgoingMessage,
  type Press,
  type PressAnswer,
} from './bot.ts';
import type { Messenger } from './messenger.ts';
import {
  answerDecision,
  answeredText,
  type Card,
  type Choice,
  type Choices,
  decisionButtons,
  questionButtons,
  questionText,
  readChoice,
  settledText,
  toCard,
  toDecision,
} from './permission-card.ts';
import { retry } from './retry.ts';
import { splitText } from './split-text.ts';

interface AskedChat {
  readonly messenger: Messenger;
  readonly chat: ChatAddress;
  readonly person: PersonName;
  readonly sessionId: SessionId;
  /** The latest text of the model. */
  readonly latestText: string;
}

interface OpenCard {
  readonly asked: AskedChat;
  readonly request: PermissionRequest;
  readonly card: Card;
  choices: Choices;
  /** The messages with buttons: one, or one per question. */
  readonly messages: { readonly text: string; readonly ref: MessageRef }[];
}

const noLongerOpen: PressAnswer = { text: 'This question is no longer open.' };

export class PermissionCards {
  readonly #open = new Map<PermissionId, OpenCard>();
  /** Sends and edits of one card run one after the other. */
  readonly #work = new KeyedQueue<OpenCard>();
  readonly #gateway: Pick<Gateway, 'decide'>;
  readonly #signal: AbortSignal;
  readonly #onError: (error: unknown) => void;

  constructor(gateway: Pick<Gateway, 'decide'>, signal: AbortSignal, onError: (error: unknown) => void) {
    this.#gateway = gateway;
    this.#signal = signal;
    this.#onError = onError;
  }

  ask(id: PermissionId, request: PermissionRequest, asked: AskedChat): void {
    if (this.#open.has(id)) return;
    const card = toCard(request, asked.latestText);
    const choices = card.kind === 'questions' ? card.questions.map(() => []) : [];
    const open: OpenCard = { asked, request, card, choices, messages: [] };
    this.#open.set(id, open);
    this.#enqueue(open, () => this.#show(id, open));
  }

  settle(id: PermissionId, decision: Decision, reason: SettleReason): void {
    const open = this.#open.get(id);
    if (!open) return;
    this.#open.delete(id);
    this.#enqueue(open, () => this.#showSettled(open, decision, reason));
  }

  /** Returns what to tell the person who pressed the button. Undefined if the button is not for a permission. */
  async press(press: Press): Promise<PressAnswer | undefined> {
    const choice = readChoice(press.data);
    if (!choice) return undefined;
    const open = this.#open.get(choice.id);
    if (!open || chatKey(open.asked.chat) !== chatKey(press.chat)) return noLongerOpen;
    switch (choice.kind) {
      case 'decide':
        return open.card.kind === 'questions'
          ? noLongerOpen
          : this.#decide(choice.id, open, toDecision(choice.answer));
      case 'option':
        return this.#choose(choice, open);
      default:
        return choice satisfies never;
    }
  }

  /**
   * Uses a text as the answer to the first unanswered question in the chat's session. Returns false when no question is
   * open.
   */
  async answer(chat: ChatAddress, session: SessionId | undefined, text: string): Promise<boolean> {
    for (const [id, open] of this.#open) {
      if (open.card.kind !== 'questions' || open.asked.sessionId !== session) continue;
      if (chatKey(open.asked.chat) !== chatKey(chat)) continue;
      const unanswered = open.choices.findIndex((chosen) => chosen.length === 0);
      const index = unanswered === -1 ? open.choices.length - 1 : unanswered;
      this.#setChoice(id, open, index, [...(open.choices[index] ?? []), text]);
      return (await this.#finish(id, open, { text })) !== noLongerOpen;
    }
    return false;
  }

  async #choose(choice: Extract<Choice, { kind: 'option' }>, open: OpenCard): Promise<PressAnswer> {
    if (open.card.kind !== 'questions') return noLongerOpen;
    const question = open.card.questions[choice.question];
    const label = choice.option === undefined ? undefined : question?.options[choice.option]?.label;
    if (!question || (choice.option !== undefined && label === undefined)) return noLongerOpen;
    if (label === undefined)
      return this.#finish(choice.id, open, { text: 'Choose at least one answer to each question.' });
    const before = open.choices[choice.question] ?? [];
    const isChosen: PressAnswer = { text: label, isShown: true };
    this.#setChoice(
      choice.id,
      open,
      choice.question,
      question.multiSelect ? toggled(before, label) : [label],
    );
    return question.multiSelect ? isChosen : this.#finish(choice.id, open, isChosen);
  }

  #setChoice(id: PermissionId, open: OpenCard, question: number, chosen: readonly string[]): void {
    open.choices = open.choices.map((before, index) => (index === question ? chosen : before));
    this.#enqueue(open, () => this.#showChosen(id, open, question));
  }

  /** Decides once every question has an answer; until then, returns `unlessComplete`. */
  async #finish(id: PermissionId, open: OpenCard, unlessComplete: PressAnswer): Promise<PressAnswer> {
    if (open.card.kind !== 'questions') return noLongerOpen;
    if (open.choices.some((chosen) => chosen.length === 0)) return unlessComplete;
    return this.#decide(id, open, answerDecision(open.request, open.card.questions, open.choices));
  }

  async #decide(id: PermissionId, open: OpenCard, decision: Decision): Promise<PressAnswer> {
    const { person, sessionId } = open.asked;
    const isSettled = await this.#gateway.decide(person, sessionId, id, decision);
    if (!isSettled) return noLongerOpen;
    const text = open.card.kind === 'questions' ? 'Answered' : settledText(decision, 'decided');
    return { text, isShown: true };
  }

  async #show(id: PermissionId, open: OpenCard): Promise<void> {
    const { card } = open;
    if (card.kind !== 'questions') return this.#send(open, card.text, decisionButtons(card, id));
    for (const [index, question] of card.questions.entries()) {
      await this.#send(open, questionText(question), questionButtons(question, id, index, []));
    }
  }

  async #send(open: OpenCard, text: string, buttons: ReturnType<typeof decisionButtons>): Promise<void> {
    const { messenger, chat } = open.asked;
    const parts = splitText(text, messenger.messageLength - roomForOutcome);
    for (const [index, part] of parts.entries()) {
      const isLast = index === parts.length - 1;
      const message = { text: part, ...(isLast && { buttons }) };
      const send = (isPlain: boolean) =>
        retry(() => messenger.send(chat, { ...message, isPlain }, this.#signal), this.#signal);
      const ref = await send(false).catch(() => send(true));
      if (isLast) open.messages.push({ text: part, ref });
    }
  }

  async #showChosen(id: PermissionId, open: OpenCard, index: number): Promise<void> {
    const question = open.card.kind === 'questions' ? open.card.questions[index] : undefined;
    const message = open.messages[index];
    if (!question || !message || !this.#open.has(id)) return;
    const chosen = open.choices[index] ?? [];
    const written = chosen.filter((answer) => !question.options.some(({ label }) => label === answer));
    const text = withOutcome(message.text, written.map((answer) => `✓ ${answer}`).join('\n\n'));
    await this.#edit(open, message.ref, { text, buttons: questionButtons(question, id, index, chosen) });
  }

  async #showSettled(open: OpenCard, decision: Decision, reason: SettleReason): Promise<void> {
    for (const [index, { text, ref }] of open.messages.entries()) {
      const question = open.card.kind === 'questions' ? open.card.questions[index] : undefined;
      const isAnswer = question && reason === 'decided';
      const outcome = isAnswer ? answeredText(question, decision) : settledText(decision, reason);
      await this.#edit(open, ref, { text: withOutcome(text, outcome), buttons: [] });
    }
  }

  #edit({ asked: { messenger, chat } }: OpenCard, ref: MessageRef, message: OutgoingMessage): Promise<void> {
    return retry(() => messenger.edit(chat, ref, message, this.#signal), this.#signal);
  }

  #enqueue(open: OpenCard, work: () => Promise<void>): void {
    this.#work.run(open, work).catch((error: unknown) => {
      if (!this.#signal.aborted) this.#onError(error);
    });
  }
}

/** Leaves space for the outcome, which may be a long answer. */
const roomForOutcome = 400;

function withOutcome(text: string, outcome: string): string {
  if (outcome === '') return text;
  const [shown = '', ...rest] = splitText(outcome, roomForOutcome - '\n\n…'.length);
  return `${text}\n\n${shown}${rest.length > 0 ? '…' : ''}`;
}

function toggled(labels: readonly string[], label: string): readonly string[] {
  return labels.includes(label) ? labels.filter((other) => other !== label) : [...labels, label];
}
