// Brings one answer to its chat, message by message, each exactly once: what is about to be sent is written down
// first, so that after a crash the service can be asked whether it arrived.
import type { Outbox, OwedAnswer } from '../../../domain/outbox.ts';
import { type Channel, ChannelError, type ChatAddress, type Outgoing } from './channel.ts';
import { persistently, type RetryPauses, usualPauses } from './retry.ts';
import { splitText } from './split-text.ts';

export interface SendSetup {
  readonly channel: Channel;
  readonly signal: AbortSignal;
  readonly pauses?: RetryPauses | undefined;
  onRetry(error: ChannelError, waitMs: number): void;
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
  const parts = splitText(text, setup.channel.messageLength);
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
  for (const part of splitText(text, setup.channel.messageLength)) {
    await sendOnce(chat, { text: part }, setup, { pending: undefined, note: () => Promise.resolve() });
  }
}

interface Attempts {
  /** Of a try whose fate is unknown. */
  readonly pending: unknown;
  /** Writes down that a try begins. */
  note(attempt: unknown): Promise<void>;
}

async function sendOnce(
  chat: ChatAddress,
  message: Outgoing,
  { channel, signal, pauses = usualPauses, onRetry }: SendSetup,
  attempts: Attempts,
): Promise<void> {
  let pending = attempts.pending;
  let wanted = message;
  const attempt = async (): Promise<void> => {
    if (pending !== undefined && (await channel.findSent(chat, pending, signal)) === true) return;
    pending = channel.prepareSend(chat);
    await attempts.note(pending);
    try {
      await channel.send(chat, wanted, pending, signal);
    } catch (error) {
      // What the service refused did not arrive; only a broken connection leaves that open.
      if (error instanceof ChannelError && error.problem !== 'network') pending = undefined;
      if (!(error instanceof ChannelError) || error.problem !== 'markup' || wanted.isPlain) throw error;
      wanted = { ...message, isPlain: true };
      await attempt();
    }
  };
  await persistently(attempt, signal, onRetry, pauses);
}
