// One page of a session: greets it with what it needs, then sends cached and live messages with no gap and no
// double, at its own pace.
import type { CodeServerMessage, ConnectedData } from '@parley/protocol';
import { type CatchUp, catchUp, type Seam } from './catch-up.ts';
import type { Channel } from './channel.ts';
import { frameHead } from './frame-head.ts';
import type { LoggedMessage } from './message-log.ts';
import { toControlRequest, toQueueData } from './page-state.ts';
import { closeCodes, type SocketWriter } from './socket-writer.ts';

/** What a page is told of its session beside what the channel knows. */
export interface SessionFacts extends Pick<ConnectedData, 'session' | 'models' | 'demo'> {
  /** The mode that the program is in, where it has told. */
  readonly permission_mode: string | undefined;
}

export interface PageOptions {
  readonly channel: Channel;
  readonly writer: SocketWriter;
  /** The number of the last message that the page has, when it comes back. */
  readonly after: number | undefined;
  readonly facts: SessionFacts;
  /** From here on the page may be told of failures too. */
  onGreeted(): void;
  /** The last lines of the transcript, oldest first. */
  readLines(): Promise<readonly string[]>;
}

/** Messages that are taken from the log at once. */
const batch = 64;

/** Resolves when the page has gone, or was closed because nothing more will come. */
export async function servePage(options: PageOptions): Promise<void> {
  const { channel, writer, after, facts } = options;
  if (after !== undefined && channel.log.after(after, 1)) {
    await sendOwn(writer, greeting(channel, facts, { after, cached: 0, reset: false }));
    options.onGreeted();
    await sendLive(channel, writer, after, undefined);
    return;
  }
  const lines = await options.readLines();
  // From here to the number nothing waits: what is in the log now is sent now, what comes later is live.
  const { frames, seam }: CatchUp = catchUp(lines, channel.log.tail(channel.turnBegan));
  const last = channel.log.last;
  const cached = lines.length + frames.length;
  const hello = greeting(channel, facts, { after: last, cached, reset: after !== undefined });
  await sendOwn(writer, hello);
  for (const message of [...lines, ...frames]) await writer.send(message);
  options.onGreeted();
  await sendLive(channel, writer, last, seam);
}

function greeting(
  { state }: Channel,
  facts: SessionFacts,
  place: Pick<ConnectedData, 'after' | 'cached' | 'reset'>,
): CodeServerMessage {
  return {
    type: 'connected',
    data: {
      ...facts,
      ...toQueueData(state),
      permissions: state.permissions.map(({ id, request }) => toControlRequest(id, request)),
      todos: [...state.todos],
      model: state.model,
      permission_mode: facts.permission_mode ?? state.permissionMode,
      ...place,
    },
  };
}

async function sendLive(
  channel: Channel,
  writer: SocketWriter,
  after: number,
  seam: Seam | undefined,
): Promise<void> {
  const { log } = channel;
  let number = after;
  while (writer.isOpen) {
    const fresh = log.after(number, batch);
    if (!fresh) {
      writer.close(closeCodes.lagged, 'lagged');
      return;
    }
    for (const message of fresh) {
      const waiting = isDouble(message, seam) ? sendPlaceholder(channel, writer) : sendParts(message, writer);
      if (waiting) await waiting;
      if (!writer.isOpen) return;
      number = message.number;
    }
    if (fresh.length > 0) continue;
    if (channel.ended) {
      const { code, message } = channel.ended;
      writer.close(code === 'not_found' ? closeCodes.ended : closeCodes.lagged, message);
      return;
    }
    await log.changed();
  }
}

function sendParts({ parts }: LoggedMessage, writer: SocketWriter): Promise<void> | undefined {
  let waiting: Promise<void> | undefined;
  for (const part of parts) waiting = writer.send(part) ?? waiting;
  return waiting;
}

function isDouble({ isFrame, parts: [bytes] }: LoggedMessage, seam: Seam | undefined): boolean {
  if (!isFrame || !bytes || !seam || seam.isClosed) return false;
  return seam.isDouble(frameHead(bytes.toString()));
}

/** Pages count messages: in the place of one that the page has already comes the queue, which it may hear any time. */
function sendPlaceholder({ state }: Channel, writer: SocketWriter): Promise<void> | undefined {
  return sendOwn(writer, { type: 'queue_update', data: toQueueData(state) });
}

export function sendOwn(writer: SocketWriter, message: CodeServerMessage): Promise<void> | undefined {
  return writer.send(JSON.stringify(message));
}
