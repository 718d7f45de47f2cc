// The permissions that chats are being asked about: shown with buttons, answered by whoever the gate lets in, and
// shown as settled afterwards, from whichever door the answer came.
import type {
  Decision,
  PermissionId,
  PermissionRequest,
  PersonName,
  SessionId,
  SettleReason,
} from '@parley/protocol';
import type { Gateway } from '../../../domain/gateway.ts';
import { type ChatAddress, conversationKey, type MessageRef, type Outgoing, type Press } from './channel.ts';
import type { Outlet } from './outlet.ts';
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
import { persistently } from './retry.ts';
import { splitText } from './split-text.ts';

interface AskedChat {
  readonly outlet: Outlet;
  readonly chat: ChatAddress;
  readonly person: PersonName;
  readonly sessionId: SessionId;
}

interface OpenCard {
  readonly asked: AskedChat;
  readonly request: PermissionRequest;
  readonly card: Card;
  choices: Choices;
  /** The messages with the buttons: one, or one for each question. */
  readonly messages: { readonly text: string; readonly ref: MessageRef }[];
  /** Shows and changes of one card come one after the other. */
  last: Promise<void>;
}

const noLongerOpen = 'This is no longer open.';

export class PermissionCards {
  readonly #open = new Map<PermissionId, OpenCard>();
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
    const card = toCard(request);
    const choices = card.kind === 'questions' ? card.questions.map(() => []) : [];
    const open: OpenCard = { asked, request, card, choices, messages: [], last: Promise.resolve() };
    this.#open.set(id, open);
    this.#then(open, () => this.#show(id, open));
  }

  settle(id: PermissionId, decision: Decision, reason: SettleReason): void {
    const open = this.#open.get(id);
    if (!open) return;
    this.#open.delete(id);
    this.#then(open, () => this.#showSettled(open, decision, reason));
  }

  /** What to tell whoever pressed. Undefined when the button is none of a permission. */
  async press(press: Press): Promise<string | undefined> {
    const choice = readChoice(press.data);
    if (!choice) return undefined;
    const open = this.#open.get(choice.id);
    if (!open || conversationKey(open.asked.chat) !== conversationKey(press.chat)) return noLongerOpen;
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

  async #choose(choice: Extract<Choice, { kind: 'option' }>, open: OpenCard): Promise<string> {
    if (open.card.kind !== 'questions') return noLongerOpen;
    const { questions } = open.card;
    const question = questions[choice.question];
    const label = choice.option === undefined ? undefined : question?.options[choice.option]?.label;
    if (!question || (choice.option !== undefined && label === undefined)) return noLongerOpen;
    const before = open.choices[choice.question] ?? [];
    if (label !== undefined) {
      const chosen = question.multiSelect ? toggled(before, label) : [label];
      open.choices = open.choices.map((kept, index) => (index === choice.question ? chosen : kept));
      this.#then(open, () => this.#showChosen(choice.id, open, choice.question));
      if (question.multiSelect) return label;
    }
    const isComplete = open.choices.every((chosen) => chosen.length > 0);
    if (!isComplete) return label ?? 'Choose at least one for each question.';
    return this.#decide(choice.id, open, answerDecision(open.request, questions, open.choices));
  }

  async #decide(id: PermissionId, open: OpenCard, decision: Decision): Promise<string> {
    const { person, sessionId } = open.asked;
    const isSettled = await this.#gateway.decide(person, sessionId, id, decision);
    if (!isSettled) return noLongerOpen;
    return open.card.kind === 'questions' ? 'Answered' : settledText(decision, 'decided');
  }

  async #show(id: PermissionId, open: OpenCard): Promise<void> {
    const { card } = open;
    if (card.kind !== 'questions') return this.#send(open, card.text, decisionButtons(card.kind, id));
    for (const [index, question] of card.questions.entries()) {
      await this.#send(open, questionText(question), questionButtons(question, id, index, []));
    }
  }

  async #send(open: OpenCard, text: string, buttons: ReturnType<typeof decisionButtons>): Promise<void> {
    const { outlet, chat } = open.asked;
    const parts = splitText(text, outlet.messageLength - roomForOutcome);
    for (const [index, part] of parts.entries()) {
      const isLast = index === parts.length - 1;
      const message = { text: part, ...(isLast && { buttons }) };
      const send = (isPlain: boolean) =>
        persistently(() => outlet.send(chat, { ...message, isPlain }, this.#signal), this.#signal);
      const ref = await send(false).catch(() => send(true));
      if (isLast) open.messages.push({ text: part, ref });
    }
  }

  async #showChosen(id: PermissionId, open: OpenCard, index: number): Promise<void> {
    const question = open.card.kind === 'questions' ? open.card.questions[index] : undefined;
    const message = open.messages[index];
    if (!question || !message || !this.#open.has(id)) return;
    const buttons = questionButtons(question, id, index, open.choices[index] ?? []);
    await this.#edit(open, message.ref, { text: message.text, buttons });
  }

  async #showSettled(open: OpenCard, decision: Decision, reason: SettleReason): Promise<void> {
    for (const [index, { text, ref }] of open.messages.entries()) {
      const question = open.card.kind === 'questions' ? open.card.questions[index] : undefined;
      const isAnswer = question && reason === 'decided';
      const outcome = isAnswer ? answeredText(question, decision) : settledText(decision, reason);
      await this.#edit(open, ref, { text: `${text}\n\n${outcome}`, buttons: [] });
    }
  }

  #edit({ asked: { outlet, chat } }: OpenCard, ref: MessageRef, message: Outgoing): Promise<void> {
    return persistently(() => outlet.edit(chat, ref, message, this.#signal), this.#signal);
  }

  #then(open: OpenCard, work: () => Promise<void>): void {
    open.last = open.last.then(work).catch((error: unknown) => {
      if (!this.#signal.aborted) this.#onError(error);
    });
  }
}

/** Space for the line that says how it was settled. */
const roomForOutcome = 400;

function toggled(labels: readonly string[], label: string): readonly string[] {
  return labels.includes(label) ? labels.filter((kept) => kept !== label) : [...labels, label];
}
