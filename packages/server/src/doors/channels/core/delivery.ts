// Brings one answer to its chat, message by message, each exactly once: what is about to be sent is written down
// first, so that after a crash the service can be asked whether it arrived.
import type { Outbox, OwedAnswer } from '../../../domain/outbox.ts';
import { ChannelError, type ChannelProblem, type ChatAddress, type Outgoing } from './channel.ts';
import type { Outlet } from './outlet.ts';
import { persistently, type RetryPauses, usualPauses } from './retry.ts';
import { splitText } from './split-text.ts';

export interface SendSetup {
  readonly outlet: Outlet;
  readonly signal: AbortSignal;
  readonly pauses?: RetryPauses | undefined;
  readonly onRetry: (error: ChannelError, waitMs: number) => void;
}

/** An answer on its way. `replyTo` marks its first message as an answer to the one that asked. */
export interface Delivery extends Pick<OwedAnswer, 'key' | 'sentParts' | 'attempt'> {
  readonly chat: ChatAddress;
  readonly text: string;
  readonly replyTo: string | undefined;
  /** Below the last message. */
  readonly buttons?: Outgoing['buttons'];
}

/** Rejects with a ChannelError when the chat cannot be reached any more, and when the signal aborts. */
export async function deliver(
  { key, chat, text, replyTo, buttons, sentParts, attempt }: Delivery,
  outbox: Pick<Outbox, 'advance'>,
  setup: SendSetup,
): Promise<void> {
  const parts = splitText(text, setup.outlet.messageLength);
  let pending = attempt;
  for (let index = sentParts; index < parts.length; index += 1) {
    const message: Outgoing = {
      text: parts[index] ?? '',
      ...(index === 0 && replyTo !== undefined && { replyTo }),
      ...(index === parts.length - 1 && buttons && { buttons }),
    };
    await sendOnce(chat, message, setup, {
      pending,
      note: (tried) => outbox.advance(key, { text, attempt: tried }),
    });
    await outbox.advance(key, { sentParts: index + 1, attempt: undefined });
    pending = undefined;
  }
}

/** For messages that nobody is owed, such as those of the message tool: nothing is written down. */
export async function sendText(chat: ChatAddress, text: string, setup: SendSetup): Promise<void> {
  for (const part of splitText(text, setup.outlet.messageLength)) {
    await sendOnce(chat, { text: part }, setup, { pending: undefined, note: () => Promise.resolve() });
  }
}

interface Attempts {
  /** Of a try whose fate is unknown. */
  readonly pending: unknown;
  /** Writes down that a try begins. */
  readonly note: (attempt: unknown) => Promise<void>;
}

async function sendOnce(
  chat: ChatAddress,
  message: Outgoing,
  { outlet, signal, pauses = usualPauses, onRetry }: SendSetup,
  attempts: Attempts,
): Promise<void> {
  let pending = attempts.pending;
  let wanted = message;
  const attempt = async (): Promise<void> => {
    if (pending !== undefined && (await outlet.findSent(chat, pending, signal)) === true) return;
    try {
      await outlet.send(chat, wanted, signal, (begun) => {
        pending = begun;
        return attempts.note(begun);
      });
    } catch (error) {
      // What the service refused did not arrive; only a broken connection leaves that open.
      if (error instanceof ChannelError && error.problem !== 'network') pending = undefined;
      const simpler = error instanceof ChannelError ? simplerThan(wanted, error.problem) : undefined;
      if (!simpler) throw error;
      wanted = simpler;
      await attempt();
    }
  };
  await persistently(attempt, signal, onRetry, pauses);
}

/** The same words in a form that may pass where this one was refused. Undefined when that would not help. */
function simplerThan(message: Outgoing, problem: ChannelProblem): Outgoing | undefined {
  if (problem !== 'markup' && problem !== 'refused') return undefined;
  const { replyTo, buttons, ...bare } = message;
  if (problem === 'refused' && replyTo !== undefined) return { ...bare, ...(buttons && { buttons }) };
  if (!message.isPlain) return { ...message, isPlain: true };
  return replyTo !== undefined || buttons ? bare : undefined;
}
