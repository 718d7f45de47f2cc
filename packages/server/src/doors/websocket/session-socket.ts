// The WebSocket of a Claude Code session: lets a page in, serves it, and carries out what it asks.
import { ParleyError, type PersonName, Seq } from '@parley/protocol';
import type { WebSocket } from 'ws';
import { toSessionView } from '../../domain/code-session-view.ts';
import type { CodeSession, CodeSessions } from '../../domain/code-sessions.ts';
import { Channels, type ChannelsOptions } from './channels.ts';
import { parseClientMessage } from './client-message.ts';
import { type Desk, perform } from './commands.ts';
import { Inbox } from './inbox.ts';
import { sendOwn, servePage } from './page.ts';
import { type SocketHandler, sessionOf } from './socket-request.ts';
import { closeCodes, SocketWriter, type WriterLimits } from './socket-writer.ts';

export interface SessionSocketOptions extends ChannelsOptions {
  readonly sessions: CodeSessions;
  readonly demo: boolean;
  /** Characters of one prompt. */
  readonly promptLength: number;
  /** Lines of the transcript that a new page gets. */
  readonly cachedMessages: number;
  readonly writer: WriterLimits;
}

export interface SessionSockets {
  readonly handler: SocketHandler;
  close(): Promise<void>;
}

export function createSessionSockets(options: SessionSocketOptions): SessionSockets {
  const { gateway, sessions, logger } = options;
  const channels = new Channels(options);

  return {
    async handler(request) {
      const { person, query, signal } = request;
      // This also makes a session that was begun elsewhere one of the gateway's.
      const session = await sessions.get(person, sessionOf(request));
      const after = numberOf(query['after']);
      return (socket) => {
        serve(socket, { person, session, after, signal }).catch((error: unknown) => {
          logger.error({ err: error, session: session.id }, 'a page could not be served');
          socket.close(closeCodes.failed, 'failed');
        });
      };
    },
    close: () => channels.close(),
  };

  async function serve(socket: WebSocket, page: Page): Promise<void> {
    const { person, session, after, signal } = page;
    const writer = new SocketWriter(socket, options.writer);
    const onError = (error: unknown) => tellFailure(writer, error);
    const desk: Desk = { gateway, person, id: session.id, promptLength: options.promptLength, onError };
    const inbox = new Inbox(socket, (text) => perform(parseClientMessage(text), desk), onError);
    writer.closeOn(signal);
    const { channel, leave } = await channels.join(person, session.id);
    socket.once('close', () => {
      leave();
      channel.log.nudge();
    });
    if (!writer.isOpen) return leave();
    const models = sessions.models();
    const wake = async () => {
      await gateway.wake(person, session.id);
      const offered = sessions.models();
      if (offered && offered !== models) channel.offer(offered);
    };
    await servePage({
      channel,
      writer,
      after,
      onGreeted() {
        inbox.open();
        if (session.mode === 'ui') wake().catch(onError);
      },
      facts: {
        session: toSessionView(session),
        ...(models && { models: [...models] }),
        permission_mode: sessions.permissionMode(session.id),
        demo: options.demo,
      },
      readLines: async () => {
        const { lines } = await sessions.messages(person, session.id, { limit: options.cachedMessages });
        return lines;
      },
    });
  }

  function tellFailure(writer: SocketWriter, thrown: unknown): Promise<void> | undefined {
    const error = ParleyError.from(thrown);
    if (error.code === 'internal') logger.error({ err: thrown }, 'a message of a page failed');
    return sendOwn(writer, { type: 'error', error: error.message });
  }
}

interface Page {
  readonly person: PersonName;
  readonly session: CodeSession;
  readonly after: number | undefined;
  readonly signal: AbortSignal;
}

/** What is no number was never given out: it is answered like one that is too old. */
function numberOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  return Seq.safeParse(Number(text)).data ?? -1;
}
