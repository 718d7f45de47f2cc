// Takes messages in: a message becomes a command, an answer to an open question, or a prompt in its chat's session. It
// counts as received once it is stored as owed an answer; from then on it gets exactly one, whatever happens to the server.
import { ParleyError, type PersonName, type Prompt } from '@parley/protocol';
import { cleanText } from '../../../content/clean-text.ts';
import type { AdmittedPrompt } from '../../../domain/gateway.ts';
import type { OwedAnswer } from '../../../domain/outbox.ts';
import {
  type AnswerDelivery,
  type AnswerDeliverySetup,
  type Destination,
  failureText,
} from './answer-delivery.ts';
import { type AttachmentLoader, type ChannelName, type ChatAddress, chatKey, type Inbound } from './bot.ts';
import {
  answerCommand,
  type CommandAnswer,
  type CommandSetup,
  readCommand,
  refuseUnknownCommand,
  withoutAddressee,
} from './commands.ts';

/** A template around the text of each message. */
export interface SummaryPrompt {
  readonly enabled: boolean;
  /** With the placeholders `{{message}}` and `{{workspace}}`. */
  readonly template: string;
}

type SharedWithDelivery = Pick<
  AnswerDeliverySetup,
  'gateway' | 'outbox' | 'sessions' | 'cards' | 'messageLog' | 'log' | 'clock' | 'signal'
>;

export interface IntakeSetup
  extends SharedWithDelivery,
    Pick<CommandSetup, 'codeSessions' | 'models' | 'inBackground'> {
  readonly answers: AnswerDelivery;
  readonly summaryPrompt: SummaryPrompt;
  readonly personOf: (inbound: Pick<Inbound, 'chat' | 'sender'>) => PersonName;
  /** Why the chat may not act for its person; undefined if it may. */
  readonly refusalOf: (inbound: Pick<Inbound, 'chat' | 'sender'>) => string | undefined;
  readonly workspaceOf: (chat: ChatAddress) => string;
  /** The name that groups address the bot by. */
  readonly botNameOf: (name: ChannelName) => string | undefined;
}

/** Sends nothing, but counts the message as answered. */
const noAnswer: CommandAnswer = { text: '' };

export class Intake {
  readonly #setup: IntakeSetup;

  constructor(setup: IntakeSetup) {
    this.#setup = setup;
  }

  /**
   * Resolves once the message is durable. The parts are one message that the service delivers in pieces, such as the
   * photos of an album. Rejects when a part must be delivered again.
   */
  async admit(parts: readonly Inbound[]): Promise<void> {
    const { outbox, clock, log, answers } = this.#setup;
    const [first, ...others] = await this.#newParts(parts);
    if (!first) return;
    const inbound = joinParts(first, others);
    const { key, chat, sender, messageId } = inbound;
    log.write('inbound', chat, { senderId: sender.id, kind: inbound.content.kind }, 'received a message');
    const answer = await this.#answerTo(inbound);
    const { text, turn, buttons } =
      'session' in answer
        ? { text: undefined, turn: answer, buttons: undefined }
        : { buttons: undefined, ...answer, turn: undefined };
    const owed: OwedAnswer = {
      key,
      channel: chat.channel,
      address: { chat, messageId, ...(buttons && { buttons }) } satisfies Destination,
      ...(text !== undefined && { text }),
      ...(turn && {
        turn: {
          person: turn.session.person,
          sessionId: turn.session.id,
          turnId: turn.turnId,
          after: turn.after,
        },
      }),
      sentParts: 0,
      owedAt: clock.now(),
    };
    // A turn that was admitted before a crash may be over by now, and may lack attachments that arrived later.
    const isResumed = turn?.fresh === false;
    const answered = isResumed ? others.slice(0, Math.max(0, attachmentsIn(turn.prompt) - 1)) : others;
    if (!(await outbox.owe({ ...owed, also: answered.map((other) => other.key) }))) return;
    await answers.add(owed, { isResumed });
    if (answered.length < others.length) throw new Error('late parts of the message must be delivered again');
  }

  /** Answers a command that changes nothing, at once and without storing anything. */
  async answerPrivately(inbound: Inbound): Promise<CommandAnswer> {
    const { chat, content, sender } = inbound;
    const command = content.kind === 'text' ? readCommand(content.text) : undefined;
    if (!command) throw new ParleyError('invalid', 'This is not a command.');
    this.#setup.log.write('inbound', chat, { senderId: sender.id, kind: 'text' }, 'received a command');
    const refusal = this.#setup.refusalOf(inbound);
    if (refusal !== undefined) return { text: refusal };
    return answerCommand(command, chat, this.#setup.personOf(inbound), this.#setup);
  }

  async #newParts(parts: readonly Inbound[]): Promise<readonly Inbound[]> {
    const known = await Promise.all(parts.map(({ key }) => this.#setup.outbox.knows(key)));
    return parts.filter((_, index) => !known[index]);
  }

  /** An admitted prompt, or an answer that needs none. */
  async #answerTo(inbound: Inbound): Promise<AdmittedPrompt | CommandAnswer> {
    const { content } = inbound;
    switch (content.kind) {
      case 'unsupported':
        return { text: `${content.what} are not supported here yet. Please send text instead.` };
      case 'text':
        return this.#answerToText(inbound, content);
      default:
        return content satisfies never;
    }
  }

  async #answerToText(
    inbound: Inbound,
    content: Extract<Inbound['content'], { kind: 'text' }>,
  ): Promise<AdmittedPrompt | CommandAnswer> {
    const { cards, sessions, signal, log } = this.#setup;
    const { key, chat } = inbound;
    const person = this.#setup.personOf(inbound);
    const text = withoutAddressee(cleanText(content.text).trim(), this.#setup.botNameOf(chat.channel));
    if (text === undefined) return noAnswer;
    const refusal = this.#setup.refusalOf(inbound);
    if (refusal !== undefined) return { text: refusal };
    this.#logMessage(inbound, text);
    const command = readCommand(text);
    if (command) return answerCommand(command, chat, person, this.#setup);
    const canAnswerQuestion = text !== '' && !text.startsWith('/') && !content.loadAttachments;
    // The card shows the answer and the turn continues, so this message is not owed anything else.
    if (canAnswerQuestion && (await cards.answer(chat, await sessions.idOf(chat), text))) return noAnswer;
    try {
      const refusal = await refuseUnknownCommand(text, chat, person, this.#setup);
      if (refusal) return refusal;
      const prompt = await this.#promptOf(text, chat, content.loadAttachments);
      if (prompt.length === 0) return { text: 'The message was empty. Tell me what you need.' };
      return await sessions.prompt(chat, person, prompt, key);
    } catch (error) {
      if (signal.aborted) throw error;
      log.write('error', chat, { err: error }, 'failed to accept a message');
      return { text: failureText(ParleyError.from(error).message) };
    }
  }

  async #promptOf(
    text: string,
    chat: ChatAddress,
    loadAttachments: AttachmentLoader | undefined,
  ): Promise<Prompt> {
    const { summaryPrompt, signal, workspaceOf } = this.#setup;
    const attached = (await loadAttachments?.(signal)) ?? [];
    const words = text.startsWith('/') ? text : applyTemplate(summaryPrompt, text, workspaceOf(chat));
    return [...attached, ...(words === '' ? [] : [{ type: 'text' as const, text: words }])];
  }

  #logMessage({ chat, sender }: Inbound, text: string): void {
    this.#setup.messageLog.add({
      time: new Date(this.#setup.clock.now()).toISOString(),
      channel: chat.channel,
      conversation: chatKey(chat),
      direction: 'inbound',
      senderId: sender.id,
      text,
    });
  }
}

/** One message with the key of the first part, and the texts, pictures and files of all parts. */
function joinParts(first: Inbound, others: readonly Inbound[]): Inbound {
  if (others.length === 0) return first;
  const contents = [first, ...others].flatMap(({ content }) => (content.kind === 'text' ? content : []));
  const texts = contents.map(({ text }) => text).filter((text) => text !== '');
  return {
    ...first,
    content: {
      kind: 'text',
      text: texts.join('\n\n'),
      loadAttachments: async (signal) => {
        const parts = await Promise.all(
          contents.map(async ({ loadAttachments }) => loadAttachments?.(signal) ?? []),
        );
        return parts.flat();
      },
    },
  };
}

/** Each part of a message has one. */
function attachmentsIn(prompt: Prompt): number {
  return prompt.filter(({ type }) => type !== 'text').length;
}

/** If the template has no `{{message}}`, the message goes at the end. */
function applyTemplate({ enabled, template }: SummaryPrompt, message: string, workspace: string): string {
  if (!enabled || message === '') return message;
  const filled = template.replaceAll(/\{\{\s*(message|workspace)\s*\}\}/g, (_, name: string) =>
    name === 'message' ? message : workspace,
  );
  return /\{\{\s*message\s*\}\}/.test(template) ? filled : `${filled}\n\n${message}`;
}
